

def read_labels(
    numbers: list, division: Division, path: str
) -> tuple[np.ndarray, int, dict[str, Any]]:
    """Give labels mean 0 and deviation 1 over the training rows.

    Returns:
        float32 (rows, 1), 1, and what else a Dataset must know.

    Raises:
        InputError: a label is no number.
    """
    try:
        label = np.array(numbers, np.float64)
    except ValueError as error:
        raise InputError(f"{path}: {error}: the label must be a number") from error
    if division.kept is None:
        mean, deviation = map(float, statistics(label[division.numbers.train]))
        unit = deviation or 1.0
    else:
        mean, unit = division.kept.label_mean, division.kept.label_unit
    form = {"label_unit": unit, "label_mean": mean, "preparation": {}}
    return standardise(label, mean, unit)[:, None], 1, form
