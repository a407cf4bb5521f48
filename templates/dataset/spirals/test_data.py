"""The spirals against plain NumPy."""

import numpy as np
from built_in import all_rows, config_of

from package.data import load


def along_the_arm(data: np.ndarray, label: np.ndarray, turns: float) -> np.ndarray:
    """Turn every point back by the angle of its arm: without noise it lands at (radius, 0)."""
    x, y = data.T.astype(np.float64)
    back = 2 * np.pi * (turns * np.hypot(x, y) + label / 3)
    return np.stack([x * np.cos(back) + y * np.sin(back), y * np.cos(back) - x * np.sin(back)], 1)


def test_shapes_and_types():
    """Oracle: the contract of a dataset, 15 % of the rows each for validation and test."""
    dataset = load(config_of(rows=200))
    assert (dataset.shape, dataset.outputs) == ((2,), 3)
    for split, rows in ((dataset.train, 140), (dataset.validation, 30), (dataset.test, 30)):
        assert (split.data.shape, split.data.dtype) == ((rows, 2), np.float32)
        assert (split.label.shape, split.label.dtype) == ((rows,), np.int32)


def test_points_lie_on_the_arm_of_their_label():
    """Oracle: the angle of an Archimedean spiral, undone by a rotation."""
    data, label = all_rows(config_of(rows=600, noise=0.0, turns=1.5))
    straight = along_the_arm(data, label, turns=1.5)
    np.testing.assert_allclose(straight[:, 0], np.hypot(*data.T), atol=1e-5)
    np.testing.assert_allclose(straight[:, 1], 0, atol=1e-5)


def test_radius_is_the_root_of_a_uniform_number():
    """Oracle: the squared radius of such a number has mean 1/2 and deviation 1/sqrt(12)."""
    data, _ = all_rows(config_of(rows=20_000, noise=0.0))
    square = (data.astype(np.float64) ** 2).sum(1)
    assert square.max() <= 1 + 1e-6
    np.testing.assert_allclose([square.mean(), square.std()], [1 / 2, 12**-0.5], rtol=0.02)


def test_classes_are_equally_frequent():
    """Oracle: a third each; with 20 000 rows a share has deviation 0.0033."""
    _, label = all_rows(config_of(rows=20_000))
    np.testing.assert_allclose(np.bincount(label) / len(label), np.ones(3) / 3, atol=0.015)


def test_noise_has_the_deviation_asked_for():
    """Oracle: the same draw without noise, subtracted."""
    noisy, label = all_rows(config_of(rows=20_000, noise=0.2))
    clean, same_label = all_rows(config_of(rows=20_000, noise=0.0))
    np.testing.assert_array_equal(label, same_label)
    difference = (noisy - clean).astype(np.float64)
    np.testing.assert_allclose(difference.std(0), 0.2, rtol=0.02)
    np.testing.assert_allclose(difference.mean(0), 0, atol=0.005)
