"""What a regression is judged by."""

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


def observe(prediction: Tensor, label: Tensor) -> Tensor:
    """Choose what leaves the graph: the predictions, (batch, 1)."""
    return prediction


def create_measure(dataset: Dataset) -> Callable[[np.ndarray, np.ndarray], dict[str, float]]:
    """Make ``measure(prediction, label) -> metrics`` for (rows, 1) each.

    ``r2`` is the share of the label's variance explained, NaN where there is none; ``mae`` is in
    the label's own unit. Both are NaN if a prediction is not finite.
    """
    from sklearn.metrics import mean_absolute_error, r2_score  # here: it takes a second to load

    unit = dataset.label_unit

    def measure(prediction: np.ndarray, label: np.ndarray) -> dict[str, float]:
        if not np.isfinite(prediction).all():
            return {"r2": float("nan"), "mae": float("nan")}
        pair = label.astype(np.float64), prediction.astype(np.float64)
        r2 = r2_score(*pair) if np.ptp(label) else float("nan")
        return {"r2": float(r2), "mae": float(mean_absolute_error(*pair)) * unit}

    return measure


def draw(prediction: np.ndarray, label: np.ndarray, dataset: Dataset, path: Path) -> None:
    """Draw into ``path`` what is predicted against what is true, in the label's own unit.

    Args:
        prediction: (rows, 1).
        label: (rows, 1).
        dataset: knows the label's unit.
        path: of the picture, PNG.
    """
    true, found = (x * dataset.label_unit + dataset.label_mean for x in (label, prediction))
    figure = create_figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.scatter(true, found, s=4)
    axes.axline((true.mean(), true.mean()), slope=1, color="gray", linewidth=1)
    axes.set(xlabel="true", ylabel="predicted")
    save(figure, path)


def tell(prediction: np.ndarray, kept: Kept) -> dict[str, list[Any]]:
    """Turn predictions, (rows, 1), into columns of a table: a number in the label's own unit."""
    values = prediction[:, 0].astype(np.float64) * kept.label_unit + kept.label_mean
    return {"prediction": values.tolist()}


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: a low loss."""
    return -metrics["loss"]
