"""Friedman's function, against the formula worked out row by row."""

import math

import numpy as np
from built_in import all_rows

from package.config import Config
from package.data import load, read_new


def whole(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the three splits together, in float64, labels in the unit of the formula."""
    dataset = load(config)
    data, label = (x.astype(np.float64) for x in all_rows(config))
    return data, label[:, 0] * dataset.label_unit + dataset.label_mean


def friedman(x: np.ndarray) -> float:
    """The function of the paper, of one row."""
    wave, bowl = math.sin(math.pi * x[0] * x[1]), (x[2] - 0.5) ** 2
    return float(10 * wave + 20 * bowl + 10 * x[3] + 5 * x[4])


def test_formula_without_noise():
    """Oracle: the paper's formula in Python floats; at (1/2, 1, 1, 1/2, 1) it is 25 by hand."""
    assert friedman(np.array([0.5, 1, 1, 0.5, 1])) == 25
    config = Config()
    config.dataset.noise = 0.0
    data, label = whole(config)
    np.testing.assert_allclose(label, [friedman(row) for row in data], atol=1e-5)


def test_noise_has_the_asked_deviation():
    """Oracle: what the formula leaves; the deviation of 4000 draws is known to 1.1 %."""
    config = Config()
    config.dataset.noise = 0.5
    data, label = whole(config)
    noise = label - [friedman(row) for row in data]
    np.testing.assert_allclose(noise.std(), 0.5, rtol=0.05)
    np.testing.assert_allclose(noise.mean(), 0, atol=0.04)


def test_best_reachable_r2_is_096():
    """Oracle: noise variance 1 over the label's variance, as the docstring says."""
    _, label = whole(Config())
    np.testing.assert_allclose(1 - 1 / label.var(), 0.96, atol=0.005)


def test_inputs_are_uniform():
    """Oracle: mean 1/2, deviation 1/sqrt(12) and the range [0, 1] for each of the ten."""
    data, _ = whole(Config())
    np.testing.assert_allclose(data.mean(axis=0), np.full(10, 0.5), atol=0.02)
    np.testing.assert_allclose(data.std(axis=0), np.full(10, 12**-0.5), atol=0.01)
    assert data.min() >= 0 and data.max() <= 1


def test_no_row_is_in_two_splits():
    """Oracle: NumPy's unique rows; no two of 4000 draws of ten numbers are equal."""
    data, _ = whole(Config())
    assert len(np.unique(data, axis=0)) == 4000


def test_labels_are_standardised():
    """Oracle: NumPy's mean and deviation, of the training rows alone."""
    label = load(Config()).train.label
    np.testing.assert_allclose((label.mean(), label.std()), (0, 1), atol=1e-5)


def test_arrays_are_as_the_network_wants_them():
    """Oracle: the contract, float32 (rows, 10) and (rows, 1), and one output."""
    dataset = load(Config())
    assert dataset.train.data.shape == (2800, 10)
    assert dataset.train.label.shape == (2800, 1)
    assert dataset.train.data.dtype == dataset.train.label.dtype == np.float32
    assert dataset.outputs == 1


def test_new_rows_are_read_as_they_are(tmp_path):
    """Oracle: the inputs are not scaled; the first of two rows is 0 to 9."""
    kept = load(Config()).kept
    assert kept
    np.save(tmp_path / "new.npy", np.arange(20).reshape(2, 10))
    names, rows = read_new(Config(), kept, str(tmp_path / "new.npy"))
    assert names == ["1", "2"] and rows[0].tolist() == list(range(10))
