"""MindRecord: small shards, whose right rows were worked out by hand."""

from pathlib import Path

import numpy as np
import pytest

from package.config import Config
from package.data import load, read_new
from package.engine.errors import InputError
from package.engine.kept import Kept
from package.engine.rows import Dataset
from package.prepare import prepare

LABELS = ["1", "2"] * 10


def read(path: Path, kept: Kept | None = None) -> Dataset:
    """Load shards, as the run did that has ``kept`` something."""
    config = Config()
    config.dataset.path, config.dataset.size = str(path), 4
    return load(config, kept)


def whole(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and the labels of the three splits together."""
    splits = (dataset.train, dataset.validation, dataset.test)
    data = np.concatenate([np.asarray(split.data) for split in splits])
    return data, np.concatenate([split.label for split in splits])


def write(folder: Path, rows: list[str], **settings) -> Path:
    """Write a table with the columns a, b and y, and from it shards."""
    (folder / "t.csv").write_text("a,b,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
    prepare(folder / "t.csv", folder / "t.mindrecord", **settings)
    return folder / "t.mindrecord"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Twenty rows in three shards: a is twice the label less the mean of both, b is constant."""
    return write(tmp_path, [f"{4 * int(y) - 6},7,{y}" for y in LABELS], shards=3)


def test_rows_are_scaled_and_keep_their_labels(table: Path):
    """By hand: a falls together with the label; what is constant is 0."""
    data, label = whole(read(table))
    assert data.shape == (20, 2) and data.dtype == np.float32
    np.testing.assert_array_equal(data[:, 1], np.zeros(20))
    assert np.ptp(data[:, 0]) > 1
    np.testing.assert_array_equal(data[:, 0] > 0, np.ravel(label) > np.mean(label))


def test_new_rows_are_scaled_as_the_run_was(table: Path, tmp_path: Path):
    """Equality to the bit with the rows of the run, without their labels."""
    run = read(table)
    assert run.kept
    np.savetxt(tmp_path / "new.csv", [[-2, 7], [2, 7]], "%g", delimiter=",", header="a,b")
    names, rows = read_new(Config(), run.kept, str(tmp_path / "new.csv"))
    assert names == ["1", "2"]
    np.testing.assert_array_equal(rows, np.unique(whole(run)[0], axis=0))


def test_column_is_chosen(tmp_path: Path):
    """By hand: a is the label, b and y are the features."""
    path = write(tmp_path, [f"{y},0,{i}" for i, y in enumerate(LABELS)], label="a")
    assert read(path).shape == (2,)


def test_run_tests_the_same_rows_again(table: Path):
    """Equality to the bit, and nothing to remark."""
    run = read(table)
    again = read(table, run.kept)
    np.testing.assert_array_equal(np.asarray(run.test.data), np.asarray(again.test.data))
    assert again.remarks == []


@pytest.mark.parametrize(
    "row, message", [("x,1,1", "could not convert"), ("1,1", "2 cells"), ("nan,1,1", "a cell is")]
)
def test_cell_that_is_no_number_is_refused(tmp_path: Path, row: str, message: str):
    """The line of the table is named."""
    with pytest.raises(InputError, match=f"line 2: {message}"):
        write(tmp_path, [row])


def test_missing_shards(tmp_path: Path):
    """The line names the path and the command."""
    with pytest.raises(InputError, match=r"no.mindrecord: write it with the command prepare"):
        read(tmp_path / "no.mindrecord")


def test_other_files_are_refused(tmp_path: Path):
    """A text that is called so."""
    (tmp_path / "a.mindrecord").write_text("no shard")
    with pytest.raises(InputError, match="cannot be read as rows of data and label"):
        read(tmp_path / "a.mindrecord")
