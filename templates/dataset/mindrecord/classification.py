

def read_labels(
    names: list, division: Division, path: str
) -> tuple[np.ndarray, int, dict[str, Any]]:
    """Number the classes in sorted order of their names, or as the run did.

    Returns:
        The number of each row, int32 (rows,), how many classes there are, and what else a Dataset
        must know.

    Raises:
        InputError: there is only one, or one that the run had not.
    """
    kept = division.kept
    classes = kept.preparation["classes"] if kept else sorted(set(map(str, names)))
    if len(classes) < 2:
        raise InputError(f"{path}: all rows are of class {classes[0]!r}: give at least 2 classes")
    number = {name: i for i, name in enumerate(classes)}
    for name in map(str, names):
        if name not in number:
            raise InputError(f"{path}: {name!r} is no class of the run: {', '.join(classes)}")
    label = np.array([number[str(name)] for name in names], np.int32)
    return label, len(classes), {"classes": classes, "preparation": {"classes": classes}}
