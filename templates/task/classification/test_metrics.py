"""The classification metrics against numbers worked by hand."""

import numpy as np

from package.engine.rows import Dataset, Split
from package.metrics import create_measure, score

OUTPUT = np.array([[2, 1, 0], [-3, -1, -2], [0, 5, 9], [1, 0, 0]], np.float32)
SPLIT = Split(OUTPUT, np.array([0, 1, 2, 1], np.int32))


def accuracy(output: np.ndarray, label: np.ndarray) -> float:
    """The share of the labels that the logits agree with."""
    return create_measure(Dataset(SPLIT, SPLIT, SPLIT, outputs=3))(output, label)["accuracy"]


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


def test_row_order() -> None:
    """The same rows in another order."""
    label, order = np.array([0, 1, 2, 1], np.int32), [3, 1, 0, 2]
    assert accuracy(OUTPUT[order], label[order]) == accuracy(OUTPUT, label)


def test_lower_losses_score_higher() -> None:
    """By hand: 0.1 is better than 0.5."""
    assert score({"loss": 0.1}) > score({"loss": 0.5})
