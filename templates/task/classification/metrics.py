"""What a classification is judged by."""

from collections.abc import Callable

import numpy as np
from mindspore import Tensor

from .engine.rows import Dataset

ROWS = 256
"""rows in one launch of the compiled evaluation; no metric depends on it"""


def observe(logits: Tensor, label: Tensor) -> Tensor:
    """Choose what leaves the graph: the logits, (batch, classes)."""
    return logits


def create_measure(dataset: Dataset) -> Callable[[np.ndarray, np.ndarray], dict[str, float]]:
    """Make ``measure(logits, label) -> metrics`` for (rows, classes) and class numbers (rows,).

    ``accuracy`` is the share of rows whose largest logit is that of their class.
    """
    from sklearn.metrics import accuracy_score  # here, as it takes a second to load

    def measure(logits: np.ndarray, label: np.ndarray) -> dict[str, float]:
        return {"accuracy": float(accuracy_score(label, logits.argmax(axis=1)))}

    return measure


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: a low loss."""
    return -metrics["loss"]
