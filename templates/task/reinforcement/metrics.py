"""What a policy is judged by."""

import numpy as np


def measure(returns: np.ndarray) -> dict[str, float]:
    """Return mean and standard deviation of the returns of episodes, (episodes,)."""
    return {"return_mean": float(np.mean(returns)), "return_std": float(np.std(returns))}


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: the mean return."""
    return metrics["return_mean"]
