

def read_label(
    table: Table, column: int, kept: Kept | None
) -> tuple[np.ndarray, dict[str, list[str]]]:
    """Number the classes in a column, in sorted order of their names or as the run did.

    Returns:
        The number in each row, int32 (rows,), and the names.

    Raises:
        InputError: a cell is empty or names a class that the run had not, or all are of one class.
    """
    names = table.column(column)
    if "" in names:
        raise InputError(f"{table.place(names.index(''), column)}: an empty cell names no class")
    classes = kept.preparation["classes"] if kept else sorted(set(names))
    if len(classes) == 1:
        raise InputError(
            f"{table.path}: column {table.names[column]!r} is {classes[0]!r} in every row: choose "
            f"a label of at least two classes with --dataset.label"
        )
    number = {name: i for i, name in enumerate(classes)}
    for row, name in enumerate(names):
        if name not in number:
            raise InputError(
                f"{table.place(row, column)}: {name!r} is not a class of the run: {listed(classes)}"
            )
    return np.array([number[name] for name in names], np.int32), {"classes": classes}


def create_dataset(
    table: Table,
    column: int,
    data: np.ndarray,
    target: np.ndarray,
    division: Division,
    preparation: dict[str, Any],
) -> Dataset:
    """Join ``data`` to its labels.

    Args:
        table: where the labels stand.
        column: the number of their column.
        data: (rows, features) float32.
        target: class numbers, (rows,).
        division: which rows go where.
        preparation: what the run keeps.
    """
    classes, remarks = preparation["classes"], extra_columns(table, preparation)
    if division.kept is None and 2 * len(classes) > len(data):
        remarks.append(
            f"{table.path}: column {table.names[column]!r} has {len(classes)} classes in "
            f"{len(data)} rows: is another column meant by --dataset.label?"
        )
    return division.dataset(
        data,
        target,
        len(classes),
        classes=classes,
        notes=notes_of(preparation),
        remarks=remarks,
        preparation=preparation,
    )
