

def create_dataset(
    table: Table, column: int, data: np.ndarray, splits: tuple[np.ndarray, ...]
) -> Dataset:
    """Join ``data`` to its labels, class names that are numbered in sorted order.

    Args:
        table: where the labels stand.
        column: the number of their column.
        data: (rows, features) float32.
        splits: numbers of the training, validation and test rows.

    Raises:
        InputError: a label is empty, or all rows are of one class.
    """
    names = table.column(column)
    if "" in names:
        raise InputError(f"{table.place(names.index(''), column)}: an empty cell names no class")
    classes = sorted(set(names))
    if len(classes) == 1:
        raise InputError(
            f"{table.path}: column {table.names[column]!r} is {classes[0]!r} in every row: choose "
            f"a label of at least two classes with --dataset.label"
        )
    number = {name: i for i, name in enumerate(classes)}
    label = np.array([number[name] for name in names], np.int32)
    train, validation, test = (Split(data[rows], label[rows]) for rows in splits)
    return Dataset(train, validation, test, outputs=len(classes))
