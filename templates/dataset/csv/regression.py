

def read_label(table: Table, column: int, kept: Kept | None) -> tuple[np.ndarray, dict[str, int]]:
    """Return the numbers in a column, float64 (rows,), less their origin, and the origin.

    Raises:
        InputError: a cell is not a number.
    """
    values, origin = table.numbers(column, kept.preparation["label_origin"] if kept else None)
    return values, {"label_origin": origin}


def create_dataset(
    table: Table,
    column: int,
    data: np.ndarray,
    target: np.ndarray,
    division: Division,
    preparation: dict[str, Any],
) -> Dataset:
    """Join ``data`` to its labels, which get mean 0 and deviation 1 over the training rows.

    Args:
        table: where the labels stand.
        column: the number of their column.
        data: (rows, features) float32.
        target: (rows,) float64, as in the table.
        division: which rows go where.
        preparation: what the run keeps.

    Raises:
        InputError: the training rows all have the same label.
    """
    train = division.numbers.train
    if division.kept is None:
        mean, deviation = statistics(target[train])
        if deviation == 0:
            raise InputError(
                f"{table.path}: column {table.names[column]!r} is {table.rows[train[0]][column]} "
                f"in every training row: choose a label that varies with --dataset.label"
            )
        preparation.update(label_mean=float(mean), label_deviation=float(deviation))
    unit = preparation["label_deviation"]
    return division.dataset(
        data,
        standardise(target, preparation["label_mean"], unit)[:, None],
        1,
        label_unit=unit,
        label_mean=preparation["label_mean"] + preparation["label_origin"],
        notes=notes_of(preparation),
        remarks=extra_columns(table, preparation),
        preparation=preparation,
    )
