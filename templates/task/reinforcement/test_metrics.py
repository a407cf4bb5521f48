"""The metrics of returns against numbers worked by hand."""

import numpy as np

from package.metrics import measure, score


def test_by_hand() -> None:
    """By hand: 1, 2, 3, 6 have the mean 3 and deviate by 2, 1, 0, 3: the root of 14 / 4."""
    found = measure(np.array([1, 2, 3, 6]))
    assert (found["return_mean"], found["return_std"]) == (3.0, 3.5**0.5)


def test_higher_returns_score_higher() -> None:
    """By hand: 3 is better than 1, whatever their deviation."""
    assert score({"return_mean": 3.0, "return_std": 9.0}) > score({"return_mean": 1.0})
