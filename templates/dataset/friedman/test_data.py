"""Friedman's function, against the formula worked out row by row."""

import math

import numpy as np

from package.config import Config
from package.data import load, read_new


def whole(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the three splits together, in float64, labels in the unit of the formula."""
    dataset = load(config)
    splits = (dataset.train, dataset.validation, dataset.test)
    data = np.concatenate([split.data for split in splits]).astype(np.float64)
    label = np.concatenate([split.label for split in splits])[:, 0].astype(np.float64)
    return data, label * dataset.label_unit + dataset.label_mean


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


def test_splits_have_the_asked_number_of_rows():
    """Oracle: 15 % of 100 rows, twice, and the rest."""
    config = Config()
    config.dataset.rows = 100
    dataset = load(config)
    sizes = [len(split.data) for split in (dataset.train, dataset.validation, dataset.test)]
    assert sizes == [70, 15, 15]


def test_no_row_is_in_two_splits():
    """Oracle: NumPy's unique rows; no two of 4000 draws of ten numbers are equal."""
    data, _ = whole(Config())
    assert len(np.unique(data, axis=0)) == 4000


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
    """Oracle: the contract, float32 (rows, 10) and (rows, 1), and one output."""
    dataset = load(Config())
    assert dataset.train.data.shape == (2800, 10)
    assert dataset.train.label.shape == (2800, 1)
    assert dataset.train.data.dtype == dataset.train.label.dtype == np.float32
    assert dataset.outputs == 1


def test_split_seed_alone_decides_the_rows():
    """Oracle: equality to the bit for one seed, and other rows for another."""
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


def test_new_rows_are_read_as_they_are(tmp_path):
    """Oracle: the inputs are not scaled; the first of two rows is 0 to 9."""
    kept = load(Config()).kept
    assert kept
    np.save(tmp_path / "new.npy", np.arange(20).reshape(2, 10))
    names, rows = read_new(Config(), kept, str(tmp_path / "new.npy"))
    assert names == ["1", "2"] and rows[0].tolist() == list(range(10))
