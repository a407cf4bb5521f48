"""Images or a table, written as MindRecord shards."""

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from mindspore.mindrecord import FileWriter

from .engine.errors import InputError
from .engine.images import encode, find_classes, find_images, is_plain, watched
from .engine.rows import listed

BLOCK = 1000
"""rows that are written together"""


def prepare(source: Path, path: Path, shards: int = 4, label: str | None = None) -> str:
    """Write MindRecord from a folder of images, a folder a class, or from a table of numbers.

    A row is ``data``, the bytes of an image file or the features as float64, and ``label``, the
    name of its class or the text or the number in the table's column ``label``.

    Args:
        source: the folder, or a CSV file with a header.
        path: of the shards, to which a digit each is added.
        shards: how many there are.
        label: of a table the column that is the label; by default the last.

    Returns:
        What was written, in a line.

    Raises:
        InputError: the source cannot be read, or the shards not be written.
    """
    form, rows = read_images(source) if source.is_dir() else read_table(source, label)
    count = 0
    try:
        writer = FileWriter(str(path), shards, overwrite=True)
        writer.add_schema(form)
        while block := list(islice(rows, BLOCK)):
            writer.write_raw_data(block)
            count += len(block)
        writer.commit()
    except RuntimeError as error:
        raise InputError(f"{path} cannot be written: {error}") from error
    return f"{path}: {count} rows of {source} in {shards} shards"


def read_images(parent: Path) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """Return the form of the rows, and the images in the class folders of ``parent``.

    What ``mindspore.dataset`` would decode in another way is written as a PNG of its pixels.
    """

    def rows() -> Iterator[dict[str, Any]]:
        files = [path for folder in find_classes(parent, 1) for path in find_images(folder)]
        for file in watched(files, f"reading {parent}"):
            content = file.read_bytes() if is_plain(file) else encode(file, None, 3).tobytes()
            yield {"data": content, "label": file.parent.name}

    return {"data": {"type": "bytes"}, "label": {"type": "string"}}, rows()


def read_table(path: Path, label: str | None) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """Return the form of the rows, and those of a CSV file with a header.

    Raises:
        InputError: it cannot be read, or has no such column; from the rows, a cell is no number.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            names = next(csv.reader(file), [])
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no folder of images and no table ({error})") from error
    if len(names) < 2:
        raise InputError(f"{path}: give a header and at least two columns, separated by commas")
    column = names[-1] if label is None else label
    if column not in names:
        raise InputError(f"{path} has no column {column!r}: it has {listed(names)}")
    target = names.index(column)

    def rows() -> Iterator[dict[str, Any]]:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            next(reader)
            for cells in reader:
                if len(cells) != len(names):
                    raise InputError(
                        f"{path} line {reader.line_num}: {len(cells)} cells for "
                        f"the {len(names)} names of the header"
                    )
                features = [cell for i, cell in enumerate(cells) if i != target]
                yield {"data": to_numbers(features, reader.line_num), "label": cells[target]}

    def to_numbers(cells: list[str], line: int) -> np.ndarray:
        try:
            values = np.array(cells, np.float64)
        except ValueError as error:
            raise InputError(f"{path} line {line}: {error}") from error
        if not np.isfinite(values).all():
            raise InputError(f"{path} line {line}: a cell is not finite: mend or leave out the row")
        return values

    form = {"data": {"type": "float64", "shape": [len(names) - 1]}, "label": {"type": "string"}}
    return form, rows()
