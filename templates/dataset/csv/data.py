"""Rows of a table."""

import csv
import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from .config import Config, DatasetConfig
from .engine.errors import InputError
from .engine.kept import Division, Kept, Source, divide
from .engine.log import remark
from .engine.rows import Dataset, listed, split_rows
from .engine.scaling import standardise, statistics
from .engine.splits import WORDS, split_as_given, split_by_class, split_by_group, split_in_order
from .engine.table import (
    UNNAMED,
    Format,
    Table,
    days_of,
    is_empty,
    kind_of,
    numbers_of,
    text_of,
)

LEVELS = 100
"""categories that a column of words may have without being named in dataset.categories"""
BLOCK = 1 << 16
"""rows that are prepared at a time"""


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Read the table in ``dataset.path``.

    Numbers get mean 0 and deviation 1 over the training rows; words become a column of 0 and 1 for
    each category that the training rows have; dates, free text and what is constant say nothing.
    Rows without a label are left out. Where ``kept`` says what a run had, its columns are read by
    their names, and prepared as they were then.

    Raises:
        InputError: no such table, or a cell that cannot be used; the message names its line.
    """
    settings = config.dataset
    table = Table(settings.path, format_of(settings))
    columns = find_columns(table, settings, kept)
    check_name(table, columns.label, "the run's column")
    frame = table.read(columns.words)
    if kept is None:
        choose_features(table, frame, columns, settings)
    features = columns.features(table, frame)
    rows = usable_rows(table, frame, features, columns, settings.missing)
    if not rows.all():
        frame, features = frame[rows], features[rows]
    target, of_label = read_label(table, frame, columns.label, kept)
    hashes = pd.util.hash_pandas_object(features, index=False)
    whole = pd.DataFrame({"features": hashes, "label": target})
    content = pd.util.hash_pandas_object(whole, index=False).to_numpy()
    source = Source(settings.path, content, table.sha256)
    draw = choose_split(table, frame, target, settings) if kept is None else None
    division = divide(source, config.split_seed, kept, draw)
    if kept is None:
        measured = columns.measure(features, division.numbers.train)
        preparation = {"columns": table.names, **measured, **of_label}
    else:
        preparation = kept.preparation
        columns.remarks += unknown(table, features, preparation)
    data = prepare(features, preparation)
    del frame, features
    return create_dataset(table, columns, data, target, division, preparation)


def read_new(config: Config, kept: Kept, path: str) -> tuple[list[str], np.ndarray]:
    """Read rows without a label, prepared as the run did.

    Args:
        config: settings of the run.
        kept: what it kept.
        path: a table as that of the run; ``-`` for CSV from standard input.

    Returns:
        What the rows are called, by their ``dataset.id`` or else by their number from 1, and
        (rows, features) float32.

    Raises:
        InputError: the table has not the run's columns, or a cell cannot be used.
    """
    table = Table(path, format_of(config.dataset))
    columns = find_columns(table, config.dataset, kept)
    words = {*columns.words, columns.id}
    frame = table.read([name for name in table.names if name in words])
    features = columns.features(table, frame)
    for line in [*table.remarks, *unknown(table, features, kept.preparation)]:
        remark(line)
    if columns.id in table.names:
        names = text_of(frame[columns.id]).tolist()
    else:
        names = [str(row + 1) for row in range(len(frame))]
    return names, prepare(features, kept.preparation)


@dataclass
class Columns:
    """What becomes of each column."""

    label: str
    id: str | None
    words: list[str]
    """those that are read as text to the letter"""
    numbers: dict[str, int | None] = field(default_factory=dict)
    """features that are numbers, of each what is taken off before it is a float; None for a date"""
    categories: list[str] = field(default_factory=list)
    """features that are words"""
    notes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def features(self, table: Table, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the features as float64, less their origin, and as text.

        Raises:
            InputError: a cell of a number is none.
        """
        numbers = {n: read_numbers(table, frame, n, o) for n, o in self.numbers.items()}
        words = {name: text_of(frame[name]).astype("category") for name in self.categories}
        return pd.DataFrame(numbers | words, index=frame.index, copy=False)

    def measure(self, features: pd.DataFrame, train: np.ndarray) -> dict[str, Any]:
        """Measure on the rows ``train`` what prepares any row, as plain values."""
        numbers = {}
        for name, origin in self.numbers.items():
            values = features[name].to_numpy()[train]
            fill = float(np.nanmedian(values)) if not np.isnan(values).all() else 0.0
            mean, deviation = map(float, statistics(np.nan_to_num(values, nan=fill)))
            numbers[name] = dict(origin=origin, fill=fill, mean=mean, deviation=deviation)
        constant = [name for name, scale in numbers.items() if not scale["deviation"]]
        words = {
            name: sorted({*features[name].iloc[train].unique()} - {""}) or [""]
            for name in self.categories
        }
        constant += [name for name, found in words.items() if len(found) == 1]
        if constant:
            self.remarks.append(f"constant in the training rows: {listed(constant)}")
        return {"label": self.label, "id": self.id, "numbers": numbers, "categories": words}


def prepare(features: pd.DataFrame, preparation: dict[str, Any]) -> np.ndarray:
    """Return the numbers, then a column for each category, (rows, features) float32."""
    numbers, categories = preparation["numbers"], preparation["categories"]
    fill = {name: scale["fill"] for name, scale in numbers.items()}
    mean, deviation = ([s[key] for s in numbers.values()] for key in ("mean", "deviation"))

    def scale(values: pd.DataFrame) -> np.ndarray:
        return standardise(values.fillna(fill).to_numpy(), mean, deviation)

    one_hot = OneHotEncoder(
        categories=[np.array(found, object) for found in categories.values()],
        handle_unknown="ignore",
        sparse_output=False,
        dtype=np.float32,
    )
    transformer = ColumnTransformer(  # all that it would learn is given
        [
            ("numbers", FunctionTransformer(scale), list(numbers)),
            ("categories", one_hot, list(categories)),
        ]
    )
    width = len(numbers) + sum(map(len, categories.values()))
    data = np.empty((len(features), width), np.float32)
    for start in range(0, len(data), BLOCK):
        block = slice(start, start + BLOCK)
        data[block] = transformer.fit_transform(features.iloc[block])
    return data


def format_of(settings: DatasetConfig) -> Format:
    """Return what the settings say of how the file is written."""
    marks = tuple(names_in(settings.missing_marks))
    return Format(settings.separator, settings.decimal, settings.header, marks)


def names_in(text: str | None) -> list[str]:
    """Split names at commas, unless those are quoted."""
    return next(csv.reader([text], skipinitialspace=True)) if text else []


def find_columns(table: Table, settings: DatasetConfig, kept: Kept | None) -> Columns:
    """Find the label, by default the last column with a name, and the run's features if there are.

    Raises:
        InputError: there is no such column.
    """
    if kept:
        numbers = {name: scale["origin"] for name, scale in kept.preparation["numbers"].items()}
        categories = list(kept.preparation["categories"])
        for name in (*numbers, *categories):
            check_name(table, name, "the run's column")
        label = kept.preparation["label"]
        words = [*categories, *[label] * LABEL_IS_WORDS]
        return Columns(label, kept.preparation["id"], words, numbers, categories)
    for setting in ("label", "id", "group", "order", "split"):
        if getattr(settings, setting) is not None:
            check_name(table, getattr(settings, setting), f"dataset.{setting}")
    for setting in ("take", "leave_out", "categories"):
        for name in names_in(getattr(settings, setting)):
            check_name(table, name, f"dataset.{setting}:")
    named = [name for name in table.names if not UNNAMED.fullmatch(name)]
    label = settings.label or (named or table.names)[-1]
    index = next((name for name in table.names[:1] if name not in named), None)
    read_as_words = {*names_in(settings.categories), *[label] * LABEL_IS_WORDS}
    return Columns(label, settings.id or index, sorted(read_as_words))


def check_name(table: Table, name: str, role: str) -> None:
    """Accept the name of a column.

    Raises:
        InputError: no column has it.
    """
    if name not in table.names:
        nearest = max(table.names, key=lambda known: likeness(known, name))
        raise InputError(
            f"{role} {name!r} is not a column of {table.path}: the nearest is {nearest!r}"
        )


def likeness(one: str, other: str) -> float:
    """Tell how alike two names are, from 0 to 1, whatever their case."""
    return difflib.SequenceMatcher(None, one.lower(), other.lower()).ratio()


def choose_features(
    table: Table, frame: pd.DataFrame, columns: Columns, settings: DatasetConfig
) -> None:
    """Choose the features of a new run, and say what becomes of the other columns.

    Raises:
        InputError: none is left.
    """
    roles = dict.fromkeys((settings.group, settings.order, settings.split), "splits the rows")
    roles |= {columns.id: "names the rows"}
    taken, asked = names_in(settings.take) or table.names, names_in(settings.leave_out)
    words, left = names_in(settings.categories), []
    for name in (name for name in table.names if name != columns.label):
        kind = kind_of(frame[name])
        if kind == "words" and name not in words:
            kind = kind_of_words(text_of(frame[name]), settings.decimal)
        if name in roles:
            left.append(f"{name} ({roles[name]})")
        elif name not in taken or name in asked:
            left.append(f"{name} (as asked)")
        elif UNNAMED.fullmatch(name):
            left.append(f"{name} (without a name)")
        elif name in words or kind == "categories":
            columns.categories.append(name)
        elif kind == "numbers":
            columns.numbers[name] = origin_of(frame[name])
        elif kind == "dates" and settings.take:
            columns.numbers[name] = None
        else:
            left.append(f"{name} ({kind})")
    if not columns.numbers and not columns.categories:
        raise InputError(
            f"{table.path}: no column is left as a feature beside the label {columns.label!r}; "
            f"left out: {listed(left) or 'none'}: name dates with --dataset.take, categories with "
            f"--dataset.categories, or another --dataset.label"
        )
    for found, what in ((columns.numbers, "numbers"), (columns.categories, "categories")):
        if found:
            columns.notes.append(f"features, {what} ({len(found)}): {listed(list(found))}")
    columns.notes.append(f"label: {columns.label}")
    if left:
        columns.notes.append(f"left out ({len(left)}): {listed(left)}")


def kind_of_words(cells: pd.Series, decimal: str) -> str:
    """Say what words are: categories, free text, dates, or meant as numbers."""
    cells = cells[cells != ""]
    different = cells.drop_duplicates()
    some = different[:1000]
    bare = some.str.replace("[ _',]" if decimal == "." else "[ _'.]", "", regex=True)
    if numbers_of(bare, decimal).notna().mean() >= 0.5:
        return "numbers"
    if some.str.contains(r"\d.*\d.*\d", regex=True).all() and days_of(some).notna().all():
        return "dates"
    if len(different) <= min(LEVELS, len(cells) // 2):
        return "categories"
    return f"free text, {len(different)} in {len(cells)} rows"


def origin_of(column: pd.Series) -> int:
    """Return what a column of numbers is less, before it becomes a float.

    That is 0, or the first number where integers are beyond 2^53: identifiers and nanoseconds of 19
    digits differ in digits that a float64 does not have, their differences need fewer.
    """
    if not pd.api.types.is_integer_dtype(column) or column.abs().max() <= 2**53:
        return 0
    return int(column.to_numpy()[0])


def read_numbers(
    table: Table, frame: pd.DataFrame, name: str, origin: int | None, cure: str = "categories"
) -> np.ndarray:
    """Return a column less its origin, or its dates as days, (rows,) float64, NaN for no cell.

    Raises:
        InputError: a cell is not a finite number or a date; ``cure`` is the setting that may help.
    """
    column = frame[name]
    if origin is None:
        numbers, wanted = days_of(column), "a date"
    else:
        numbers = numbers_of(column, table.form.decimal)
        numbers = numbers - origin if origin else numbers
        wanted = "a finite number, which looks like -1.5e3 (or -1,5e3 with --dataset.decimal ,)"
    values = numbers.astype("float64").to_numpy()
    bad = np.flatnonzero(~np.isfinite(values))
    bad = bad[~is_empty(column.iloc[bad]).to_numpy()]
    if len(bad):
        raise InputError(
            f"{table.place(frame.index[bad[0]], name)}: {str(column.iloc[bad[0]])!r} is not "
            f"{wanted}: see --dataset.missing_marks if it stands for an empty cell, and "
            f"--dataset.{cure} if the column holds words"
        )
    return values


def usable_rows(
    table: Table, frame: pd.DataFrame, features: pd.DataFrame, columns: Columns, missing: str
) -> np.ndarray:
    """Tell which rows have a label and, unless they are imputed, all features.

    Raises:
        InputError: a feature is empty, and that is to be refused.
    """
    faults = {"a label": is_empty(frame[columns.label]).to_numpy()}
    if missing != "impute":
        empty = (features.isna() | (features == "")).to_numpy()
        faults["all features"] = empty.any(axis=1) & ~faults["a label"]
        if missing == "refuse" and empty.any():
            row, column = np.argwhere(empty)[0]
            place = table.place(features.index[row], features.columns[column])
            raise InputError(f"{place}: the cell is empty: see --dataset.missing")
    for what, rows in faults.items():
        if rows.any():
            first = table.place(frame.index[rows.argmax()], columns.label)
            columns.remarks.append(f"rows left out without {what}: {rows.sum()}, first {first}")
    return ~np.any(list(faults.values()), axis=0)


def choose_split(
    table: Table, frame: pd.DataFrame, target: np.ndarray, settings: DatasetConfig
) -> Callable[[int], tuple[np.ndarray, ...]]:
    """Return what splits the rows: by class where there are some, or as the settings say.

    Raises:
        InputError: the settings say two things, or a cell does not say what they need.
    """

    def draw(rows: np.ndarray, seed: int) -> tuple[np.ndarray, ...]:
        return split_by_class(target[rows], seed) if LABEL_IS_WORDS else split_rows(len(rows), seed)

    asked = [name for name in ("group", "order", "split") if getattr(settings, name)]
    asked += ["path"] * (table.given is not None)
    if len(asked) > 1:
        both = " and ".join(f"dataset.{name}" for name in asked)
        raise InputError(f"{both} say how {table.path} is split: leave one")
    if not asked:
        return partial(draw, np.arange(len(target)))
    if table.given is not None:
        return partial(split_as_given, table.given[frame.index], draw)
    name = getattr(settings, asked[0])
    cells = frame[name]
    if asked == ["group"]:
        return partial(split_by_group, text_of(cells).to_numpy(str))
    if asked == ["split"]:
        splits, wanted = text_of(cells).str.lower().map(WORDS), "train, validation or test"
    else:
        splits = cells if kind_of(cells) == "numbers" else days_of(cells)
        wanted = "a date or a number"
    if splits.isna().any():
        row = int(splits.isna().to_numpy().argmax())
        raise InputError(
            f"{table.place(frame.index[row], name)}: {str(cells.iloc[row])!r} is not {wanted}, as "
            f"--dataset.{asked[0]} needs it"
        )
    if asked == ["order"]:
        return partial(split_in_order, splits.to_numpy())
    return partial(split_as_given, splits.to_numpy(str), draw)


def unknown(table: Table, features: pd.DataFrame, preparation: dict[str, Any]) -> Iterable[str]:
    """Say which categories the training rows of the run had not."""
    for name, found in preparation["categories"].items():
        new = sorted({*features[name].unique()} - {"", *found})
        if new:
            yield f"{table.path}: column {name!r} has categories the run had not: {listed(new)}"


def remarks_of(table: Table, columns: Columns, division: Division) -> list[str]:
    """Say what had to be guessed, and which columns a run did not have."""
    known = division.kept.preparation["columns"] if division.kept else table.names
    extra = [name for name in table.names if name not in known]
    added = [f"{table.path} has columns that the run had not: {listed(extra)}"] if extra else []
    return [*table.remarks, *columns.remarks, *added]
