"""The regression metrics against numbers worked by hand."""

import math

import numpy as np
import pytest

from package.engine.rows import Dataset, Split
from package.metrics import create_measure, draw, score

LABEL = np.array([[1], [2], [3], [6]], np.float32)
OUTPUT = np.array([[1], [2], [5], [4]], np.float32)


def metrics(output: np.ndarray, label: np.ndarray, unit: float = 1.0) -> dict[str, float]:
    """The metrics that are known here, of a dataset whose label's unit is ``unit``."""
    split = Split(LABEL, LABEL)
    measure = create_measure(Dataset(split, split, split, outputs=1, label_unit=unit))
    found = measure(output, label)
    return {name: found[name] for name in ("r2", "mae")}


def test_by_hand() -> None:
    """By hand: errors 0, 0, -2, 2 against deviations -2, -1, 0, 3 from the mean 3: 1 - 8/14."""
    assert metrics(OUTPUT, LABEL) == pytest.approx({"r2": 3 / 7, "mae": 1.0})


def test_perfect_predictions() -> None:
    """By hand: no error explains everything."""
    assert metrics(LABEL, LABEL) == {"r2": 1.0, "mae": 0.0}


def test_mean_prediction() -> None:
    """By hand: the labels' mean explains nothing and is off by 2, 1, 0, 3."""
    assert metrics(np.full_like(LABEL, 3), LABEL) == {"r2": 0.0, "mae": 1.5}


def test_worse_than_the_mean() -> None:
    """By hand: always 6 is off by 5, 4, 3, 0: 1 - 50/14."""
    assert metrics(np.full_like(LABEL, 6), LABEL) == pytest.approx({"r2": -18 / 7, "mae": 3.0})


def test_constant_labels() -> None:
    """By hand: labels without variance have no share to explain, and an error all the same."""
    label = np.full((1000, 1), 0.1, np.float32)
    result = metrics(label + np.float32(0.5), label)
    assert math.isnan(result["r2"])
    assert result["mae"] == pytest.approx(0.5)


def test_large_labels() -> None:
    """By hand: 2^20 + (0, 1, 2, 3), each predicted 1/2 too high: 1 - 1/5."""
    label = np.float32(2**20) + np.arange(4, dtype=np.float32).reshape(4, 1)
    assert metrics(label + np.float32(0.5), label) == pytest.approx({"r2": 0.8, "mae": 0.5})


def test_row_order() -> None:
    """The same rows in another order."""
    order = [2, 0, 3, 1]
    assert metrics(OUTPUT[order], LABEL[order]) == pytest.approx(metrics(OUTPUT, LABEL))


def test_errors_are_in_the_unit_of_the_label() -> None:
    """By hand: in units of 10 the mean error of 1 is 10; the share explained has no unit."""
    assert metrics(OUTPUT, LABEL, unit=10.0) == pytest.approx({"r2": 3 / 7, "mae": 10.0})


def test_picture_has_the_unit_of_the_label(tmp_path, monkeypatch) -> None:
    """By hand: in units of 10 about a mean of 100, labels 1 to 6 are 110 to 160."""
    drawn = []
    monkeypatch.setattr("matplotlib.axes.Axes.scatter", lambda axes, *a, **b: drawn.extend(a))
    split = Split(LABEL, LABEL)
    dataset = Dataset(split, split, split, outputs=1, label_unit=10.0, label_mean=100.0)
    draw(OUTPUT, LABEL, dataset, tmp_path / "test.png")
    assert [x.ravel().tolist() for x in drawn] == [[110, 120, 130, 160], [110, 120, 150, 140]]
    assert (tmp_path / "test.png").read_bytes().startswith(b"\x89PNG")


def test_predictions_that_are_not_finite() -> None:
    """By hand: no number, and no error of the library's."""
    for bad in (np.nan, np.inf):
        assert all(map(math.isnan, metrics(np.full_like(LABEL, bad), LABEL).values()))


def test_lower_losses_score_higher() -> None:
    """By hand: 0.1 is better than 0.5; NaN is not."""
    assert score({"loss": 0.1}) > score({"loss": 0.5})
    assert not score({"loss": math.nan}) > score({"loss": 0.5})
