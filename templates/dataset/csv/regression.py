

def create_dataset(
    table: Table, column: int, data: np.ndarray, splits: tuple[np.ndarray, ...]
) -> Dataset:
    """Join ``data`` to its labels, numbers that get mean 0 and deviation 1 over the training rows.

    Args:
        table: where the labels stand.
        column: the number of their column.
        data: (rows, features) float32.
        splits: numbers of the training, validation and test rows.

    Raises:
        InputError: a label is not a number, or the training rows all have the same.
    """
    values = table.numbers(column)
    mean, deviation = statistics(values[splits[0]])
    if np.isinf(deviation):
        raise InputError(
            f"{table.path}: column {table.names[column]!r} is {values[splits[0][0]]:g} in every "
            f"training row: choose a label that varies with --dataset.label"
        )
    label = ((values - mean) / deviation).astype(np.float32)[:, None]
    train, validation, test = (Split(data[rows], label[rows]) for rows in splits)
    return Dataset(
        train, validation, test, outputs=1, label_unit=float(deviation), label_mean=float(mean)
    )
