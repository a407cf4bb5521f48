"""What a regression is judged by."""

from collections.abc import Callable

import numpy as np
from mindspore import Tensor

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


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: a low loss."""
    return -metrics["loss"]
