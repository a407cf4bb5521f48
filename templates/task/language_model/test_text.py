"""The rows of a text, against texts whose bytes can be counted."""

import numpy as np
import pytest

from package.engine.errors import InputError
from package.text import split_text

TEXT = np.random.default_rng(0).integers(256, size=1000).astype(np.uint8)


def test_held_out_bytes_are_predicted_once():
    """By hand: 1000 bytes in rows of 7 are 14 rows of test, 7 of validation; the rest trains."""
    dataset = split_text(TEXT.tobytes(), 7, 3)
    assert dataset.test.label.ravel().tolist() == TEXT[-98:].tolist()
    assert dataset.validation.label.ravel().tolist() == TEXT[-147:-98].tolist()
    assert dataset.train.data[0].tolist() == TEXT[:7].tolist()
    assert dataset.train.data[1].tolist() == TEXT[3:10].tolist()
    assert len(dataset.train.data) == (853 - 8) // 3 + 1
    assert (dataset.shape, dataset.outputs) == ((7,), 256)


def test_labels_are_the_bytes_that_follow():
    """By hand: one place further on, in every split; int32, as a network takes it."""
    dataset = split_text(TEXT.tobytes(), 7, 3)
    for split in (dataset.train, dataset.validation, dataset.test):
        assert split.data.dtype == split.label.dtype == np.int32
        assert np.array_equal(split.data[:, 1:], split.label[:, :-1])
        assert np.array_equal(split.data[1:, 0], split.label[:-1, -1]) or split is dataset.train


def test_rows_take_no_memory():
    """They are views: a gigabyte of rows of one text fits into its kilobytes."""
    dataset = split_text(TEXT.tobytes() * 1000, 1000, 1)
    assert dataset.train.data.shape == (849_000, 1000)
    assert not dataset.train.data.flags.owndata


@pytest.mark.parametrize("size", [0, 1, 21])
def test_short_text_is_refused(size: int):
    """By hand: three rows of 7 and a byte before the first are 22."""
    assert len(split_text(bytes(22), 7, 1).train.data) == 1
    with pytest.raises(InputError, match=f"a text of {size} bytes .* at least 22"):
        split_text(bytes(size), 7, 1)
