"""The classification metrics against numbers worked by hand."""

import numpy as np
import pytest

from package.engine.rows import Dataset, Split
from package.metrics import create_measure, draw, score

OUTPUT = np.array([[2, 1, 0], [-3, -1, -2], [0, 5, 9], [1, 0, 0]], np.float32)
SPLIT = Split(OUTPUT, np.array([0, 1, 2, 1], np.int32))
DATASET = Dataset(SPLIT, SPLIT, SPLIT, outputs=3, classes=("ant", "bee", "cow"))


def accuracy(output: np.ndarray, label: np.ndarray) -> float:
    """The share of the labels that the logits agree with."""
    return create_measure(DATASET)(output, label)["accuracy"]


def test_by_hand() -> None:
    """By hand: the largest logits are those of 0, 1, 2, 0, three of four labels agree."""
    assert accuracy(OUTPUT, np.array([0, 1, 2, 1], np.int32)) == 0.75


def test_all_and_none() -> None:
    """By hand: every label right gives 1, every label wrong gives 0."""
    assert accuracy(OUTPUT, np.array([0, 1, 2, 0], np.int32)) == 1.0
    assert accuracy(OUTPUT, np.array([1, 2, 0, 2], np.int32)) == 0.0


def test_constant_labels() -> None:
    """By hand: all labels 0, two rows say so."""
    assert accuracy(OUTPUT, np.zeros(4, np.int32)) == 0.5


def test_rare_classes_count_as_much() -> None:
    """By hand: classes 0, 1, 2 are found in 1 of 1, 1 of 2, 1 of 1; F1 is 2/3, 2/3, 1.

    Of labels 0 alone, half are found; class 1, 1 time predicted and never there, has an F1 of 0.
    """
    measure = create_measure(DATASET)
    found = measure(OUTPUT, np.array([0, 1, 2, 1], np.int32))
    assert found["balanced_accuracy"] == pytest.approx(5 / 6)
    assert found["macro_f1"] == pytest.approx(7 / 9)
    found = measure(OUTPUT, np.zeros(4, np.int32))
    assert found["balanced_accuracy"] == 0.5
    assert found["macro_f1"] == pytest.approx(2 / 9)


def test_picture(tmp_path) -> None:
    """A class that is never predicted, and one that is not there, are drawn, too."""
    draw(OUTPUT[[0, 1, 3]], np.array([0, 0, 1], np.int32), DATASET, tmp_path / "a" / "test.png")
    assert (tmp_path / "a" / "test.png").read_bytes().startswith(b"\x89PNG")


def test_row_order() -> None:
    """The same rows in another order."""
    label, order = np.array([0, 1, 2, 1], np.int32), [3, 1, 0, 2]
    assert accuracy(OUTPUT[order], label[order]) == accuracy(OUTPUT, label)


def test_lower_losses_score_higher() -> None:
    """By hand: 0.1 is better than 0.5."""
    assert score({"loss": 0.1}) > score({"loss": 0.5})
