"""The line, against least squares and the noise that it is said to have."""

import numpy as np
from built_in import all_rows

from package.config import Config
from package.data import load


def whole(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the three splits together, in float64, labels in the unit of the formula."""
    dataset = load(config)
    data, label = (x.astype(np.float64) for x in all_rows(config))
    return data, label * dataset.label_unit + dataset.label_mean


def test_least_squares_finds_slope_2_and_intercept_3():
    """Oracle: NumPy's least squares; its own error is 0.01 / sqrt(5000) = 0.00014."""
    data, label = whole(Config())
    slope, intercept = np.polyfit(data[:, 0], label[:, 0], 1)
    np.testing.assert_allclose((slope, intercept), (2, 3), atol=1e-3)


def test_noise_has_deviation_one_hundredth():
    """Oracle: the formula; the deviation of 5000 draws is known to 1 %."""
    data, label = whole(Config())
    noise = label - 2 * data - 3
    np.testing.assert_allclose(noise.std(), 0.01, rtol=0.05)


def test_input_is_standard_normal():
    """Oracle: mean 0 and deviation 1, and 68.3 % of the values within one deviation."""
    data, _ = whole(Config())
    np.testing.assert_allclose((data.mean(), data.std()), (0, 1), atol=0.05)
    np.testing.assert_allclose((np.abs(data) < 1).mean(), 0.683, atol=0.03)


def test_no_point_is_in_two_splits():
    """Oracle: a set of all points; no two of 5000 draws are equal."""
    data, label = whole(Config())
    assert len({*zip(data[:, 0], label[:, 0])}) == 5000


def test_labels_are_standardised():
    """Oracle: NumPy's mean and deviation, of the training rows alone."""
    label = load(Config()).train.label
    np.testing.assert_allclose((label.mean(), label.std()), (0, 1), atol=1e-5)


def test_arrays_are_as_the_network_wants_them():
    """Oracle: the contract, float32 (rows, 1) for both and one output."""
    dataset = load(Config())
    assert dataset.train.data.shape == dataset.train.label.shape == (3500, 1)
    assert dataset.train.data.dtype == dataset.train.label.dtype == np.float32
    assert dataset.outputs == 1
