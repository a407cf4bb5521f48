"""The spirals against plain NumPy."""

import numpy as np

from package.config import Config
from package.data import load


def config_of(**settings: float) -> Config:
    config = Config()
    for name, value in settings.items():
        setattr(config.dataset, name, value)
    return config


def all_rows(config: Config) -> tuple[np.ndarray, np.ndarray]:
    dataset = load(config)
    splits = (dataset.train, dataset.validation, dataset.test)
    return tuple(np.concatenate(arrays) for arrays in zip(*splits))


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


def test_split_seed_decides_the_points():
    """Oracle: equality of the bits; another seed gives other points."""
    data, _ = all_rows(config_of(rows=100))
    again, _ = all_rows(config_of(rows=100))
    other = config_of(rows=100)
    other.split_seed = 1
    np.testing.assert_array_equal(data, again)
    assert (data != all_rows(other)[0]).any(1).all()


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
