"""What samples of the ring are judged by."""

from collections.abc import Callable

import numpy as np

from .config import Config
from .data import MODES, centres
from .engine.rows import Dataset
from .engine.streams import Rows

GOOD = 3.0
"""deviations from its mode within which a sample is good; of the real rows 98.9 % are"""
COVERED = 0.02
"""share of all samples that must be good ones of a mode to cover it; each has 12.4 % of the rows"""


def create_measure(
    config: Config, dataset: Dataset
) -> Callable[[np.ndarray, Rows], dict[str, float]]:
    """Make ``measure(samples, real)``, which compares samples (rows, 2) with the known mixture.

    ``good_share`` is the share of samples within GOOD deviations of a mode, ``modes`` the number of
    modes, 0 to 8, that have at least COVERED of all samples in that reach. The first is that of
    A. Srivastava et al., *VEEGAN*, 2017, who call a mode captured that has a single good sample.
    """
    modes = centres(config.dataset.radius)
    reach = GOOD * config.dataset.deviation

    def measure(samples: np.ndarray, real: Rows) -> dict[str, float]:
        distance = np.linalg.norm(samples[:, None] - modes, axis=2)
        good = distance.min(axis=1) <= reach
        share = np.bincount(distance.argmin(axis=1)[good], minlength=MODES) / len(samples)
        return {"modes": int((share >= COVERED).sum()), "good_share": float(good.mean())}

    return measure


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: modes, and of equally many the good share."""
    return metrics["modes"] + metrics["good_share"]
