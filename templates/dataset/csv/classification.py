

LABEL_IS_WORDS = True
"""a class is what is written, to the letter"""


def read_label(
    table: Table, frame: pd.DataFrame, column: str, kept: Kept | None
) -> tuple[np.ndarray, dict[str, Any]]:
    """Number the classes in a column, in sorted order of their names or as the run did.

    Returns:
        The number in each row, int32 (rows,), and the names.

    Raises:
        InputError: a cell names a class that the run had not, or all are of one class.
    """
    names = text_of(frame[column])
    classes = kept.preparation["classes"] if kept else sorted(names.unique())
    if len(classes) < 2:
        raise InputError(
            f"{table.path}: column {column!r} is {classes[0]!r} in every row: choose a label of at "
            f"least two classes with --dataset.label"
            if classes
            else f"{table.path}: column {column!r} is empty: choose another with --dataset.label"
        )
    numbers = pd.Index(classes, dtype=object).get_indexer(names.astype(object))
    if (numbers < 0).any():
        row = int((numbers < 0).argmax())
        raise InputError(
            f"{table.place(names.index[row], column)}: {names.iloc[row]!r} is not a class of the "
            f"run: {listed(classes)}"
        )
    return numbers.astype(np.int32), {"classes": classes}


def create_dataset(
    table: Table,
    columns: Columns,
    data: np.ndarray,
    target: np.ndarray,
    division: Division,
    preparation: dict[str, Any],
) -> Dataset:
    """Join ``data`` to its labels.

    Args:
        table: what was read.
        columns: what became of its columns.
        data: (rows, features) float32.
        target: class numbers, (rows,).
        division: which rows go where.
        preparation: what the run keeps.
    """
    classes, remarks = preparation["classes"], remarks_of(table, columns, division)
    if division.kept is None:
        trained = np.bincount(target[division.numbers.train], minlength=len(classes))
        unseen = [name for name, count in zip(classes, trained) if not count]
        column = f"{table.path}: column {columns.label!r}"
        remarks += questions(classes, unseen, len(data), column)
    return division.dataset(
        data,
        target,
        len(classes),
        classes=classes,
        notes=columns.notes,
        remarks=remarks,
        preparation=preparation,
    )


def questions(classes: list[str], unseen: list[str], rows: int, column: str) -> Iterable[str]:
    """Question classes that are too many, not trained on, like measured numbers, or alike."""
    values = pd.to_numeric(pd.Series(classes), errors="coerce")
    if 2 * len(classes) > rows:
        yield (
            f"{column} has {len(classes)} classes in {rows} rows: is another column meant by "
            f"--dataset.label?"
        )
    elif len(classes) > 10 and values.notna().all() and (values % 1 != 0).any():
        yield f"{column} has {len(classes)} numbers as classes: is it a regression's label?"
    elif unseen:
        yield f"{column}: no training row is of the classes {listed(unseen)}"
    seen: dict[Any, str] = {}
    for name, value in zip(classes, values):
        twin = seen.setdefault(name.casefold() if np.isnan(value) else value, name)
        if twin != name:
            yield f"{column}: {twin!r} and {name!r} are two classes; write them alike if it is one"
