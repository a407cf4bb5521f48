

LABEL_IS_WORDS = False
"""a label is a number"""


def read_label(
    table: Table, frame: pd.DataFrame, column: str, kept: Kept | None
) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the numbers in a column, float64 (rows,), less their origin, and the origin.

    Raises:
        InputError: a cell is not a number.
    """
    origin = kept.preparation["label_origin"] if kept else origin_of(frame[column])
    return read_numbers(table, frame, column, origin, "label"), {"label_origin": origin}


def create_dataset(
    table: Table,
    columns: Columns,
    data: np.ndarray,
    target: np.ndarray,
    division: Division,
    preparation: dict[str, Any],
) -> Dataset:
    """Join ``data`` to its labels, which get mean 0 and deviation 1 over the training rows.

    Args:
        table: what was read.
        columns: what became of its columns.
        data: (rows, features) float32.
        target: (rows,) float64, less its origin.
        division: which rows go where.
        preparation: what the run keeps.

    Raises:
        InputError: the training rows all have the same label.
    """
    if division.kept is None:
        mean, deviation = map(float, statistics(target[division.numbers.train]))
        if deviation == 0:
            raise InputError(
                f"{table.path}: column {columns.label!r} is {mean + preparation['label_origin']:g} "
                f"in every training row: choose a label that varies with --dataset.label"
            )
        preparation.update(label_mean=mean, label_deviation=deviation)
    mean, unit = preparation["label_mean"], preparation["label_deviation"]
    return division.dataset(
        data,
        standardise(target, mean, unit)[:, None],
        1,
        label_unit=unit,
        label_mean=mean + preparation["label_origin"],
        notes=columns.notes,
        remarks=remarks_of(table, columns, division),
        preparation=preparation,
    )
