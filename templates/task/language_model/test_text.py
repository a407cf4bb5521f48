"""The rows of a text, against texts whose bytes can be counted."""

import numpy as np
import pytest

from package.engine.errors import InputError
from package.engine.kept import Kept
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
    """By hand: one place further on, in every split; bytes of the text."""
    dataset = split_text(TEXT.tobytes(), 7, 3)
    for split in (dataset.train, dataset.validation, dataset.test):
        assert split.data.dtype == split.label.dtype == np.uint8
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


LINES = [f"line {i} of a text\n".encode() for i in range(100)]
"""a hundred different lines"""


def run_and_then(text: bytes, name: str = "the text"):
    """Return the dataset of a run on LINES, and that of a later evaluation on another text."""
    run = split_text(b"".join(LINES), 8, 4)
    assert run.kept
    return run, split_text(text, 8, 4, name, Kept.from_json(run.kept.to_json()))


def test_run_tests_the_same_bytes_again():
    """Equality in all splits, and nothing to remark, wherever the text is now."""
    run, again = run_and_then(b"".join(LINES), "moved.txt")
    for name in ("train", "validation", "test"):
        np.testing.assert_array_equal(getattr(run, name).data, getattr(again, name).data)
    assert again.remarks == []


def test_text_that_goes_on_is_tested_to_its_end():
    """By hand: the old test bytes and, in whole rows, the 160 that follow them."""
    run, again = run_and_then(b"".join(LINES) + b"x" * 160)
    assert len(again.test.label) == len(run.test.label) + 20
    np.testing.assert_array_equal(again.test.label[: len(run.test.label)], run.test.label)
    size = len(b"".join(LINES))
    after = run.test.label.size + 160
    assert f"{size} bytes then, {size + 160} now; the {after} bytes after" in again.remarks[0]


def test_lines_that_were_seen_are_not_tested_in_another_text():
    """By hand: ten new lines before all others; the rest of the text only moves down."""
    new = [f"another line {i}\n".encode() for i in range(10)]
    run, again = run_and_then(b"".join(new + LINES))
    tested = bytes(again.test.label.ravel().tolist())
    assert tested.startswith(b"".join(new)[1:])
    assert b"line 50 of" not in tested and b"line 98 of a" in tested
    assert "100 lines then, 110 now; 10 lines are new" in again.remarks[0]
    assert len(again.train.data) == 0


def test_text_that_was_seen_is_refused():
    """By hand: the first half of the lines were trained on; so was all before the test split."""
    with pytest.raises(InputError, match="trained or validated on all of them"):
        run_and_then(b"".join(LINES[40:60]))
    text = b"".join(LINES)
    run, _ = run_and_then(text)
    with pytest.raises(InputError, match="the text: 3 bytes that the run was not"):
        run_and_then(text[: len(text) - run.test.label.size + 3])
