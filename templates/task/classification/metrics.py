"""What a classification is judged by."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from mindspore import Tensor

from .engine.kept import Kept
from .engine.pictures import create_figure, save
from .engine.rows import Dataset

ROWS = 256
"""rows in one launch of the compiled evaluation; no metric depends on it"""


def observe(logits: Tensor, label: Tensor) -> Tensor:
    """Choose what leaves the graph: the logits, (batch, classes)."""
    return logits


def create_measure(dataset: Dataset) -> Callable[[np.ndarray, np.ndarray], dict[str, float]]:
    """Make ``measure(logits, label) -> metrics`` for (rows, classes) and class numbers (rows,).

    ``accuracy`` is the share of rows whose largest logit is that of their class. In two others a
    rare class counts as much as a frequent one: ``balanced_accuracy`` is the mean of that share
    over the classes, ``macro_f1`` that of the harmonic mean of precision and recall.
    """
    from sklearn import metrics  # here, as it takes a second to load

    def measure(logits: np.ndarray, label: np.ndarray) -> dict[str, float]:
        found, there = logits.argmax(axis=1), np.unique(label)
        return {
            "accuracy": float(metrics.accuracy_score(label, found)),
            "balanced_accuracy": float(
                metrics.recall_score(label, found, labels=there, average="macro", zero_division=0)
            ),
            "macro_f1": float(metrics.f1_score(label, found, average="macro", zero_division=0)),
        }

    return measure


def draw(logits: np.ndarray, label: np.ndarray, dataset: Dataset, path: Path) -> None:
    """Draw into ``path`` which classes are taken for which, and how well each is found.

    Args:
        logits: (rows, classes).
        label: class numbers, (rows,).
        dataset: knows what the classes are called.
        path: of the picture, PNG.
    """
    from sklearn import metrics

    found, classes = logits.argmax(axis=1), np.arange(dataset.outputs)
    names = [str(name) for name in dataset.classes or classes]
    counts = metrics.confusion_matrix(label, found, labels=classes)
    report = metrics.precision_recall_fscore_support(label, found, labels=classes, zero_division=0)
    size = max(4.0, 0.35 * len(classes))
    figure = create_figure(figsize=(2.2 * size, size), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.imshow(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), cmap="Blues", vmax=1)
    for i, j in zip(*counts.nonzero()):
        color = "white" if 2 * counts[i, j] > counts[i].sum() else "black"
        left.text(j, i, counts[i, j], ha="center", va="center", color=color, fontsize=8)
    left.set_xticks(classes, names, rotation=90)
    left.set(xlabel="predicted", ylabel="true", title="rows")
    for i, name in enumerate(("precision", "recall", "F1")):
        right.barh(classes + 0.25 * (i - 1), report[i], 0.25, label=name)
    right.set(xlim=(0, 1))
    right.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    for axes in (left, right):
        axes.set_yticks(classes, names)
        axes.set_ylim(len(classes) - 0.5, -0.5)
    save(figure, path)


def tell(logits: np.ndarray, kept: Kept) -> dict[str, list[Any]]:
    """Turn logits, (rows, classes), into columns of a table: a class, the probability of each."""
    names = kept.preparation.get("classes", [str(i) for i in range(kept.outputs)])
    odds = np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float64))
    shares = (odds / odds.sum(axis=1, keepdims=True)).T.tolist()
    likeliest = [names[i] for i in logits.argmax(axis=1)]
    return {"class": likeliest, **{f"p({name})": share for name, share in zip(names, shares)}}


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: a low loss."""
    return -metrics["loss"]
