"""What a regression is judged by."""

import numpy as np


def metrics(output: np.ndarray, label: np.ndarray) -> dict[str, float]:
    """Return ``r2``, the share of the label's variance explained, and ``mae``, in the label's unit.

    Args:
        output: (rows, 1), predictions.
        label: (rows, 1), what was to be predicted.
    """
    residual = label.astype(np.float64) - output
    spread = label.astype(np.float64) - label.mean(dtype=np.float64)
    r2 = 1 - (residual**2).sum() / (spread**2).sum() if spread.any() else float("nan")
    return {"r2": float(r2), "mae": float(np.abs(residual).mean())}
