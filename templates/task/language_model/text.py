"""Rows of a text."""

import numpy as np

from .engine.errors import InputError
from .engine.rows import Dataset, Split


def split_text(text: bytes, length: int, stride: int) -> Dataset:
    """Cut ``text`` into rows of ``length`` bytes; the label is the byte that follows each of them.

    The last tenth is the test split, the twentieth before it validation, in whole rows, and the
    rest training. Rows of these two stand back to back, so that every byte there is predicted once;
    training rows start every ``stride`` bytes. No byte is predicted in two splits. All rows are
    int32 views of one array.

    Raises:
        InputError: the text is too short for one row a split.
    """
    tokens = np.frombuffer(text, np.uint8).astype(np.int32)
    if len(tokens) <= 3 * length:
        raise InputError(
            f"a text of {len(tokens)} bytes is too short to train, validate and test with rows of "
            f"{length}: give at least {3 * length + 1}, or lower --dataset.length"
        )
    test = len(tokens) - length * max(1, round(len(tokens) / (10 * length)))
    validation = test - length * max(1, round(len(tokens) / (20 * length)))
    return Dataset(
        rows_of(tokens[:validation], length, stride),
        rows_of(tokens[validation - 1 : test], length, length),
        rows_of(tokens[test - 1 :], length, length),
        outputs=256,
    )


def rows_of(tokens: np.ndarray, length: int, stride: int) -> Split:
    """View rows of ``length`` tokens that start every ``stride``, each with those that follow."""
    windows = np.lib.stride_tricks.sliding_window_view(tokens, length + 1)[::stride]
    return Split(windows[:, :-1], windows[:, 1:])
