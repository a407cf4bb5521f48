class Split(NamedTuple):
    """Rows of one split: ``data`` {{ "and ``label``, (rows, length) int32" if cookiecutter.task == "language_model" else "(rows, ...) float32, and ``label`` (rows, ...)" }}."""

    data: np.ndarray
    label: np.ndarray

    def first(self, rows: int | None) -> "Split":
        """Return the first ``rows`` rows; all if None."""
        return Split(self.data[:rows], self.label[:rows])


@dataclass(frozen=True)
class Dataset:
    """Three splits that share no {{ "predicted byte" if cookiecutter.task == "language_model" else "row" }}, and what the network must fit."""

    train: Split
    validation: Split
    test: Split
    outputs: int
    """width of the network's last layer"""
{%% if cookiecutter.task == "regression" %%}
    label_unit: float = 1.0
    """how much one unit of ``label`` is in the data's own unit, in which errors are reported"""
{%% endif %%}

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of one row of ``data``."""
        return self.train.data.shape[1:]


{%% if cookiecutter.task == "language_model" %%}
{%% include "task/language_model/text.py" %%}
{%% else %%}
def split_rows(rows: int, seed: int, share: float = 0.15) -> tuple[np.ndarray, ...]:
    """Shuffle row numbers into train, validation and test.

    Validation and test get ``share`` of the rows each, at least one.

    Raises:
        InputError: fewer than three rows.
    """
    held_out = max(1, round(share * rows))
    if rows < 3:
        raise InputError(f"{rows} rows are too few to train, validate and test: give at least 3")
    order = np.random.default_rng(seed).permutation(rows)
    return order[2 * held_out :], order[:held_out], order[held_out : 2 * held_out]
{%% endif %%}


def steps_per_epoch(rows: int, batch_size: int) -> int:
    """Count the whole batches in ``rows``.

    Raises:
        InputError: not even one.
    """
    if batch_size > rows:
        raise InputError(
            f"batch_size {batch_size} is larger than the {rows} training rows: use at most {rows}"
        )
    return rows // batch_size
