"""Rows of a text."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from .engine.errors import InputError
from .engine.kept import Kept, Source, divide, encode, hashes
from .engine.rows import Dataset, Split

VALUES = 256
"""of a byte"""
LINE = re.compile(rb"[^\n]+\n*|\n+")
"""a line with its end and the empty lines below it"""


class TextForm(NamedTuple):
    """What a network must know of a text, so that it can continue one without it."""

    shape: tuple[int, ...]
    """(length,)"""
    outputs: int = VALUES


def split_text(
    text: bytes | memoryview,
    length: int,
    stride: int,
    name: str = "the text",
    kept: Kept | None = None,
    notes: Sequence[str] = (),
) -> Dataset:
    """Cut ``text`` into rows of ``length`` bytes; the label is the byte that follows each of them.

    The last tenth is the test split, the twentieth before it validation, in whole rows, and the
    rest training. Rows of these two stand back to back, so that every byte there is predicted once;
    training rows start every ``stride`` bytes. No byte is predicted in two splits. All rows are
    uint8 views of the text, which may be mapped from a file.

    Where ``kept`` says what a run had and the text still begins with the bytes that the run was
    trained and validated on, all that follows them is tested. In another text it is the lines that
    the run has not seen, one after the other.

    Raises:
        InputError: the text is too short for one row a split, or the run has seen all of it.
    """
    remarks: list[str] = []
    size = len(text)
    if kept is None:
        validation, test = ends(size, length, name)
        kept = keep(text, length, validation, test, name)
    elif sha256(text[: kept.preparation["test"]]).hexdigest() == kept.preparation["seen"]:
        validation, test, before = (kept.preparation[key] for key in ("validation", "test", "size"))
        if sha256(text).hexdigest() != kept.sha256:
            remarks = [
                f"{name} changed since the run: {before} bytes then, {size} now; the {size - test} "
                f"bytes after those that the run was trained and validated on are evaluated"
            ]
    else:
        division = divide(source_of(text, name), 0, kept)
        lines = LINE.findall(text)
        text = b"".join(lines[i] for i in np.sort(division.numbers.test))
        validation = test = 1  # byte, before which nothing can be predicted
        remarks = division.remarks

    tokens = np.frombuffer(text, np.uint8)
    splits = (
        rows_of(tokens[:validation], length, stride),
        rows_of(tokens[validation - 1 : test], length, length),
        rows_of(tokens[test - 1 :], length, length),
    )
    if not len(splits[2].data):
        raise InputError(
            f"{name}: {len(text) - test} bytes that the run was not trained or validated on are "
            f"too few for a row of {length}: evaluate a text that holds more"
        )
    tested = f"{name} has {size} bytes, of which {splits[2].label.size} are tested"
    return Dataset(*splits, VALUES, notes=[tested, *notes], remarks=remarks, kept=kept)


def ends(size: int, length: int, name: str) -> tuple[int, int]:
    """Return where validation and test start in a text of ``size`` bytes.

    Raises:
        InputError: it is too short for one row a split.
    """
    if size <= 3 * length:
        raise InputError(
            f"{name}: a text of {size} bytes is too short to train, validate and test with rows of "
            f"{length}: give at least {3 * length + 1}, or lower --dataset.length"
        )
    test = size - length * max(1, round(size / (10 * length)))
    return test - length * max(1, round(size / (20 * length))), test


def keep(text: bytes | memoryview, length: int, validation: int, test: int, name: str) -> Kept:
    """Note what a run has of a text; a line belongs to the split in which it starts."""
    source = source_of(text, name)
    starts = np.fromiter((line.start() for line in LINE.finditer(text)), np.int64)
    splits = np.split(source.rows, np.searchsorted(starts, (validation, test)))
    seen = sha256(text[:test]).hexdigest()
    preparation = {"size": len(text), "validation": validation, "test": test, "seen": seen}
    rows, digest = len(source.rows), source.digest
    form = (length,), VALUES, 1.0, 0.0, (0, VALUES - 1)
    return Kept(name, digest, rows, *form, preparation, *map(encode, splits), dtype="int32")


def source_of(text: bytes | memoryview, name: str) -> Source:
    """Know a text by its lines, whatever empty ones and spaces are around them."""
    lines = hashes(line[0].strip() for line in LINE.finditer(text))
    return Source(name, lines, sha256(text).hexdigest(), "line")


def rows_of(tokens: np.ndarray, length: int, stride: int) -> Split:
    """View rows of ``length`` tokens that start every ``stride``, each with those that follow."""
    if len(tokens) <= length:
        return Split(*np.zeros((2, 0, length), np.uint8))
    windows = np.lib.stride_tricks.sliding_window_view(tokens, length + 1)[::stride]
    return Split(windows[:, :-1], windows[:, 1:])
