"""The modes that are covered and the share of good samples, by hand."""

import numpy as np
import pytest

from package.config import Config
from package.data import centres, load
from package.metrics import create_measure, score


def judge(samples: np.ndarray) -> dict[str, float]:
    """The metrics for modes at radius 4 with deviation 0.1, so that 0.3 is near enough."""
    config = Config()
    config.dataset.radius, config.dataset.deviation = 4.0, 0.1
    dataset = load(config)
    found = create_measure(config, dataset)(samples.astype(np.float32), dataset.test.data)
    return {name: found[name] for name in ("modes", "good_share")}


def test_every_centre_is_good():
    """By hand: ten samples on each centre, all modes and all samples."""
    assert judge(np.repeat(centres(4.0), 10, axis=0)) == {"modes": 8, "good_share": 1.0}


@pytest.mark.parametrize(("distance", "good"), [(0.29, 1.0), (0.31, 0.0)])
def test_good_is_within_three_deviations(distance: float, good: float):
    """By hand: 0.29 from the centre is near enough, 0.31 is not, whatever the direction."""
    for direction in ([1, 0], [0, -1], [0.6, 0.8]):
        found = judge(centres(4.0) + distance * np.array(direction))
        assert found == {"modes": 8 * good, "good_share": good}


def test_collapsed_generator():
    """By hand: 3 of 4 samples on one mode and the others in the middle of the circle."""
    samples = np.array([[4.0, 0.0]] * 75 + [[0.0, 0.0]] * 25)
    assert judge(samples) == {"modes": 1, "good_share": 0.75}


def test_a_covered_mode_has_two_percent():
    """By hand: of 100 samples 97 on one mode, 2 on another, and 1 on a third."""
    samples = np.array([[4.0, 0.0]] * 97 + [[0.0, 4.0]] * 2 + [[-4.0, 0.0]])
    assert judge(samples) == {"modes": 2, "good_share": 1.0}


def test_real_rows_are_good():
    """The share of a normal distribution of the plane within 3 deviations, 1 - exp(-9 / 2)."""
    dataset = load(Config())
    found = create_measure(Config(), dataset)(dataset.train.data, dataset.test.data)
    assert found["modes"] == 8
    assert found["good_share"] == pytest.approx(1 - np.exp(-4.5), abs=0.005)


def test_score_puts_modes_first():
    """By hand: 8 modes with few good samples are better than 7 with many."""
    few, many = {"modes": 8, "good_share": 0.4}, {"modes": 7, "good_share": 0.9}
    assert score(few) > score(many)
    assert score(many) > score({"modes": 7, "good_share": 0.8})
