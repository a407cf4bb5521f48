"""The ring against plain NumPy."""

import numpy as np
import pytest
from built_in import all_rows, config_of

from package.data import centres, load


def test_shapes_and_types():
    """Oracle: the contract of a dataset, 15 % of the rows each for validation and test."""
    dataset = load(config_of(rows=200))
    assert (dataset.shape, dataset.outputs) == ((2,), 8)
    for split, rows in ((dataset.train, 140), (dataset.validation, 30), (dataset.test, 30)):
        assert (split.data.shape, split.data.dtype) == ((rows, 2), np.float32)
        assert (split.label.shape, split.label.dtype) == ((rows,), np.int32)


def test_centres_by_hand():
    """Oracle: by hand, the corners and the middles of a circle of radius 2."""
    root = 2**0.5
    expected = [[2, 0], [root, root], [0, 2], [-root, root]]
    expected += [[-x, -y] for x, y in expected]
    np.testing.assert_allclose(centres(2.0), expected, atol=1e-12)


def test_points_lie_about_the_centre_of_their_label():
    """Oracle: mean and deviation of 2 500 draws a mode, known to 2 % and 1.5 %."""
    data, label = all_rows(config_of(rows=20_000, radius=3.0, deviation=0.5))
    off = data - centres(3.0)[label]
    for mode in range(8):
        np.testing.assert_allclose(off[label == mode].mean(0), 0, atol=0.05)
        np.testing.assert_allclose(off[label == mode].std(0), 0.5, rtol=0.06)
    assert np.corrcoef(off.T)[0, 1] == pytest.approx(0, abs=0.03)


def test_modes_are_equally_frequent():
    """Oracle: an eighth each; with 20 000 rows a share has deviation 0.0023."""
    _, label = all_rows(config_of(rows=20_000))
    np.testing.assert_allclose(np.bincount(label) / len(label), np.ones(8) / 8, atol=0.012)
