"""Rows of a CSV file."""

import csv
import difflib
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from .config import Config, DatasetConfig
from .engine.errors import InputError
from .engine.kept import Division, Kept, Source, divide, fingerprints
from .engine.rows import Dataset, listed
from .engine.scaling import standardise, statistics

SEPARATORS = {",": ",", ";": ";", "|": "|", "tab": "\t"}


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Read the table in ``dataset.path``.

    Every column but the label's is a feature, a number in each row. Features get mean 0 and
    deviation 1 over the training rows; one that is constant there becomes 0. Where ``kept`` says
    what a run had, its columns are read by their names, and prepared as they were then.

    Raises:
        InputError: no such table, or a cell that cannot be used; the message names its line.
    """
    table = read_table(config.dataset)
    features, label = find_columns(table, config.dataset.label, kept)
    known = kept.preparation["origins"] if kept else [None] * len(features)
    columns, origins = zip(*map(table.numbers, features, known))
    data = np.stack(columns, axis=1)  # (rows, features)
    target, of_label = read_label(table, label, kept)
    source = Source(str(table.path), fingerprints(data, target), table.digest)
    division = divide(source, config.split_seed, kept)
    if kept is None:
        names = {"features": [table.names[i] for i in features], "label": table.names[label]}
        scale = scale_of(data[division.numbers.train])
        preparation: dict[str, Any] = {**names, "origins": list(origins), **scale, **of_label}
    else:
        preparation = kept.preparation
    data = standardise(data, preparation["mean"], preparation["deviation"])
    return create_dataset(table, label, data, target, division, preparation)


def scale_of(values: np.ndarray) -> dict[str, list[float]]:
    """Return mean and deviation of each column."""
    mean, deviation = statistics(values)
    return {"mean": mean.tolist(), "deviation": deviation.tolist()}


@dataclass(frozen=True)
class Table:
    """The cells of a CSV file, as text without spaces around it."""

    path: Path
    names: list[str]
    """of the columns"""
    rows: list[list[str]]
    """cells, as many in each row as there are names"""
    lines: list[int]
    """line of the file at which each row starts, from 1"""
    decimal: str
    """decimal sign of the numbers"""
    digest: str
    """SHA-256 of the file"""

    def column(self, column: int) -> list[str]:
        """Return the cells of a column."""
        return [row[column] for row in self.rows]

    def numbers(self, column: int, origin: int | None = None) -> tuple[np.ndarray, int]:
        """Return a column less its origin, float64 (rows,), and the origin.

        The origin is 0, or the first number where numbers are beyond 2^53: identifiers and
        nanoseconds of 19 digits differ in digits that a float64 does not have, their differences
        need fewer.

        Raises:
            InputError: a cell is not a number, or is one that float32 cannot hold.
        """
        values = np.array([to_number(cell, self.decimal) for cell in self.column(column)])
        bad = np.flatnonzero(~(np.abs(values) <= np.finfo(np.float32).max))
        if len(bad):
            cell = self.rows[bad[0]][column]
            raise InputError(
                f"{self.place(bad[0], column)}: {f'{cell!r} is' if cell else 'an empty cell is'} "
                f"not a finite number, which looks like -1.5e3 (or -1,5e3 with --dataset.decimal ,)"
            )
        if origin is None and np.abs(values).max() <= 2**53:
            origin = 0
        if origin != 0:
            exact = [Decimal(with_point(cell, self.decimal)) for cell in self.column(column)]
            origin = int(exact[0]) if origin is None else origin
            values = np.array([float(number - origin) for number in exact])
        return values, origin

    def place(self, row: int, column: int) -> str:
        """Say where in the file a cell is."""
        return f"{self.path}, line {self.lines[row]}, column {self.names[column]!r}"


def to_number(cell: str, decimal: str) -> float:
    """Read a number; NaN if it is none."""
    try:
        return math.nan if "_" in cell else float(with_point(cell, decimal))
    except ValueError:
        return math.nan


def with_point(cell: str, decimal: str) -> str:
    """Write a number with a decimal point."""
    return cell if decimal == "." else cell.translate({ord(","): ".", ord("."): ","})


def read_table(settings: DatasetConfig) -> Table:
    """Read a CSV file.

    Raises:
        InputError: it cannot be read, has fewer than two columns or no rows, a row has too few or
            too many cells, or the names in its first line cannot be used.
    """
    path = Path(settings.path)
    text, digest = read_text(path)
    separator = find_separator(path, text) if settings.separator == "auto" else settings.separator
    rows: list[list[str]] = []
    lines: list[int] = []
    for line, cells in numbered_rows(path, text, separator):
        if rows and len(cells) != len(rows[0]):
            raise InputError(
                f"{path}, line {line}: {len(cells)} cells between separators {separator!r}, where "
                f"the first line has {len(rows[0])}"
            )
        rows.append(cells)
        lines.append(line)
    if not rows:
        raise InputError(f"{path} is empty: a line of column names and at least 3 rows are needed")
    if len(rows[0]) == 1:
        raise InputError(
            f"{path} has one column, {rows[0][0]!r}, between separators {separator!r}: a feature "
            f"and a label are needed, or another --dataset.separator"
        )
    if settings.header == "absent":
        names = [str(i + 1) for i in range(len(rows[0]))]
    else:
        names, rows, lines = rows[0], rows[1:], lines[1:]
        check_names(path, names, settings)
    if not rows:
        raise InputError(f"{path} has a line of column names and no row below it: give at least 3")
    return Table(path, names, rows, lines, settings.decimal, digest)


def read_text(path: Path) -> tuple[str, str]:
    """Return the text of a UTF-8 file, without a byte-order mark, and the file's SHA-256.

    Raises:
        InputError: it cannot be read, or is in another encoding.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"dataset.path {str(path)!r} cannot be read ({error.strerror}): name a CSV file"
        ) from error
    try:
        return content.decode("utf-8-sig"), sha256(content).hexdigest()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8: save the file "
            f"in that encoding"
        ) from error


def numbered_rows(
    path: Path, text: str, separator: str, strict: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row, and the line at which it starts; empty lines are no rows.

    Raises:
        InputError: quotes that do not match, where ``strict``, or a cell without an end.
    """
    lines = io.StringIO(text, newline="")
    delimiter = SEPARATORS[separator]
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=strict)
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {line}: not a row of a CSV file ({error})") from error


def find_separator(path: Path, text: str) -> str:
    """Return the separator that splits the first line outside of quotes; a comma if none does.

    Raises:
        InputError: more than one does.
    """
    found = []
    for separator in SEPARATORS:
        _, cells = next(numbered_rows(path, text, separator, strict=False), (1, []))
        if len(cells) > 1:
            found.append(separator)
    if len(found) > 1:
        raise InputError(
            f"{path}: each of {' '.join(found)} could be the separator of its first line: choose "
            f"with --dataset.separator"
        )
    return found[0] if found else ","


def check_names(path: Path, names: list[str], settings: DatasetConfig) -> None:
    """Accept the column names in the first line.

    Raises:
        InputError: one is empty, occurs twice, or is a number, so that the line may be a row.
    """
    for i, name in enumerate(names):
        if not name:
            raise InputError(f"{path}: column {i + 1} has no name in the first line: give it one")
        if name in names[:i]:
            raise InputError(f"{path}: two columns are called {name!r}: rename one")
        if settings.header == "auto" and math.isfinite(to_number(name, settings.decimal)):
            raise InputError(
                f"{path}: {name!r} in the first line is a number, not a name: say --dataset.header "
                f"absent if that line is a row, present if it holds the names"
            )


def find_columns(table: Table, label: str | None, kept: Kept | None) -> tuple[list[int], int]:
    """Return the numbers of the features' columns and of the label's, by default the last.

    Where ``kept`` says what a run had, they are those of its columns, wherever they stand now.

    Raises:
        InputError: there is no such column.
    """
    if kept:
        names = [*kept.preparation["features"], kept.preparation["label"]]
        *features, target = [find_column(table, name, "the run's column") for name in names]
        return features, target
    last = len(table.names) - 1
    target = last if label is None else find_column(table, label, "dataset.label")
    return [i for i in range(len(table.names)) if i != target], target


def find_column(table: Table, name: str, role: str) -> int:
    """Return the number of a column.

    Raises:
        InputError: no column has that name.
    """
    if name not in table.names:
        nearest = max(table.names, key=lambda known: likeness(known, name))
        raise InputError(
            f"{role} {name!r} is not a column of {table.path}: the nearest is {nearest!r}"
        )
    return table.names.index(name)


def likeness(one: str, other: str) -> float:
    """Tell how alike two names are, from 0 to 1, whatever their case."""
    return difflib.SequenceMatcher(None, one.lower(), other.lower()).ratio()


def notes_of(preparation: dict[str, Any]) -> list[str]:
    """Say which columns are used, and for what."""
    names = preparation["features"]
    return [f"features ({len(names)}): {listed(names)}", f"label: {preparation['label']}"]


def extra_columns(table: Table, preparation: dict[str, Any]) -> list[str]:
    """Say which columns a run did not have."""
    used = {*preparation["features"], preparation["label"]}
    extra = [name for name in table.names if name not in used]
    return [f"{table.path} has columns that the run had not: {listed(extra)}"] if extra else []
