"""The Frechet distance against its closed forms."""

import numpy as np
import pytest

from package import metrics
from package.config import Config
from package.engine.rows import Dataset, Split

RNG = np.random.default_rng(0)


def test_equal_rows_have_the_distance_zero():
    """The definition: also where there are fewer rows than features, and in another order."""
    rows = RNG.normal(size=(5, 9))
    assert metrics.frechet_distance(rows, rows[::-1]) == pytest.approx(0, abs=1e-5)
    assert metrics.frechet_distance(rows[:1], rows[:1]) == pytest.approx(0, abs=1e-12)


def test_shift_by_hand():
    """By hand: the same rows moved by (3, 4) have the same spread, so the distance is 25."""
    rows = RNG.normal(size=(50, 2))
    assert metrics.frechet_distance(rows, rows + [3, 4]) == pytest.approx(25)


def test_stretch_by_hand():
    """By hand: independent features of deviation 1 and 2 against 3 and 0.5: 2^2 + 1.5^2."""
    square = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], float)
    assert metrics.frechet_distance(square * [1, 2], square * [3, 0.5]) == pytest.approx(6.25)


def test_matrices_that_do_not_commute():
    """For two features tr (AB)^(1/2) is the root of tr AB + 2 sqrt(det A det B)."""
    first, second = (RNG.normal(size=(40, 2)) @ RNG.normal(size=(2, 2)) for _ in range(2))
    a, b = (np.cov(rows.T, bias=True) for rows in (first, second))
    cross = np.sqrt(np.trace(a @ b) + 2 * np.sqrt(np.linalg.det(a) * np.linalg.det(b)))
    shift = ((first.mean(0) - second.mean(0)) ** 2).sum()
    expected = shift + np.trace(a) + np.trace(b) - 2 * cross
    assert metrics.frechet_distance(first, second) == pytest.approx(expected)
    assert metrics.frechet_distance(second, first) == pytest.approx(expected)


def test_rows_that_are_not_finite_have_no_distance():
    """NaN, as the docstring says, for a diverged generator; not an error from NumPy."""
    rows = RNG.normal(size=(5, 3))
    for bad in (np.nan, np.inf):
        spoilt = np.where(np.arange(3) == 1, bad, rows)
        assert np.isnan(metrics.frechet_distance(spoilt, rows))


def images(rows: int) -> Split:
    """Noisy images of two classes: bright above, and bright below."""
    label = np.arange(rows, dtype=np.int32) % 2
    data = np.random.default_rng(rows).normal(size=(rows, 1, 4, 4)).astype(np.float32)
    data[label == 0, :, :2] += 2
    data[label == 1, :, 2:] += 2
    return Split(data, label)


def test_closer_images_have_a_smaller_distance():
    """The same distribution, half of its modes, and noise, in this order."""
    dataset = Dataset(images(200), images(60), images(62), outputs=2)
    judge = metrics.create_measure(Config(), dataset)
    real, other = dataset.test.data, dataset.validation
    candidates = [other.data, other.data[other.label == 0], RNG.normal(size=(60, 1, 4, 4))]
    distances = [judge(samples, real)["frechet"] for samples in candidates]
    assert distances == sorted(distances)
    assert 5 * distances[0] < distances[1]
    assert metrics.score({"frechet": distances[0]}) > metrics.score({"frechet": distances[1]})


def test_features_are_fixed():
    """The same rows give the same bits; 64 of them a row, none negative."""
    split = images(100)
    first, again = (metrics.create_features(split)(split.data) for _ in range(2))
    assert first.shape == (100, 64)
    assert (first >= 0).all() and first.std() > 0.1
    assert np.array_equal(first, again)
