"""The line, against least squares and the noise that it is said to have."""

import numpy as np

from package.config import Config
from package.data import load


def whole(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the three splits together, in float64, labels in the unit of the formula."""
    dataset = load(config)
    splits = (dataset.train, dataset.validation, dataset.test)
    data = np.concatenate([split.data for split in splits]).astype(np.float64)
    label = np.concatenate([split.label for split in splits]).astype(np.float64)
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


def test_splits_have_the_asked_number_of_rows():
    """Oracle: 15 % of 100 rows, twice, and the rest."""
    config = Config()
    config.dataset.rows = 100
    dataset = load(config)
    sizes = [len(split.data) for split in (dataset.train, dataset.validation, dataset.test)]
    assert sizes == [70, 15, 15]


def test_no_point_is_in_two_splits():
    """Oracle: a set of all points; no two of 5000 draws are equal."""
    data, label = whole(Config())
    assert len({*zip(data[:, 0], label[:, 0])}) == 5000


def test_labels_are_standardised():
    """Oracle: NumPy's mean and deviation, of the training rows alone."""
    label = load(Config()).train.label
    np.testing.assert_allclose((label.mean(), label.std()), (0, 1), atol=1e-5)


def test_one_training_row_is_no_division_by_zero():
    """By hand: three rows leave one to train on, which is its own mean."""
    config = Config()
    config.dataset.rows = 3
    assert load(config).train.label == 0


def test_arrays_are_as_the_network_wants_them():
    """Oracle: the contract, float32 (rows, 1) for both and one output."""
    dataset = load(Config())
    assert dataset.train.data.shape == dataset.train.label.shape == (3500, 1)
    assert dataset.train.data.dtype == dataset.train.label.dtype == np.float32
    assert dataset.outputs == 1


def test_split_seed_alone_decides_the_points():
    """Oracle: equality to the bit for one seed, and other points for another."""
    one, again, other = (whole(Config(split_seed=seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one[0], again[0])
    np.testing.assert_array_equal(one[1], again[1])
    assert np.isin(one[0], other[0]).mean() < 0.5


def test_seed_of_the_run_changes_no_row():
    """Oracle: equality; ``seed`` is of the weights and the order."""
    np.testing.assert_array_equal(load(Config()).test.data, load(Config(seed=1)).test.data)


def test_run_tests_the_same_rows_again():
    """Oracle: equality to the bit, and nothing to remark."""
    run = load(Config())
    again = load(Config(), run.kept)
    for name in ("train", "validation", "test"):
        for one, other in zip(getattr(run, name), getattr(again, name)):
            np.testing.assert_array_equal(one, other)
    assert again.remarks == []
    assert again.kept == run.kept


def test_change_of_the_drawn_rows_is_said():
    """Oracle: another draw has other rows, all of which are tested."""
    again = load(Config(split_seed=1), load(Config()).kept)
    rows = Config().dataset.rows
    assert len(again.test.data) == rows
    assert f"{rows} rows then, {rows} now; {rows} rows are new and are" in again.remarks[0]
