"""A table: small files whose right values, or right refusals, were worked out by hand."""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from package.config import Config
from package.data import load, read_new
from package.engine.errors import InputError
from package.engine.kept import Kept
from package.engine.rows import Dataset

ROWS = "1,10,1\n2,20,2\n3,30,3\n4,40,4\n5,60,5\n"


def read(
    folder: Path,
    content: str | bytes,
    kept: Kept | None = None,
    name: str = "data.csv",
    **settings: Any,
) -> Dataset:
    """Load ``content`` from a file in ``folder``, as the run did that has ``kept`` something."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    config = Config()
    config.dataset = replace(config.dataset, path=str(path), **settings)
    return load(config, kept)


def refusal(folder: Path, content: str | bytes, **settings: Any) -> str:
    """Load ``content``, which must be refused, and return the message."""
    with pytest.raises(InputError) as caught:
        read(folder, content, **settings)
    message = str(caught.value)
    assert str(folder / "data.csv") in message and "\n" not in message
    return message


def whole(dataset: Dataset) -> np.ndarray:
    """Return the features of the three splits together, (rows, features)."""
    return np.concatenate([dataset.train.data, dataset.validation.data, dataset.test.data])


def same(one: Dataset, other: Dataset) -> bool:
    """Tell whether two datasets are equal to the bit."""
    return all(
        np.array_equal(getattr(one, name).data, getattr(other, name).data)
        and np.array_equal(getattr(one, name).label, getattr(other, name).label)
        for name in ("train", "validation", "test")
    )


def test_features_are_standardised_by_the_training_rows(tmp_path):
    """Oracle: mean 0 and deviation 1 over the training rows alone, and the squares 0 to 81 kept."""
    rows = np.arange(10.0) ** 2
    table = "x,y\n" + "".join(f"{x:g},{i}\n" for i, x in enumerate(rows))
    dataset = read(tmp_path, table)
    raw = np.sort(whole(dataset)[:, 0])
    assert len(dataset.train.data) == 6
    np.testing.assert_allclose(dataset.train.data.mean(), 0, atol=1e-6)
    np.testing.assert_allclose(dataset.train.data.std(), 1, rtol=1e-6)
    assert abs(raw.mean()) > 1e-3
    np.testing.assert_allclose((raw - raw[0]) / (raw[1] - raw[0]), rows, rtol=1e-4)


def test_splits_hold_every_row_once(tmp_path):
    """Oracle: 100 rows of which 15, 15 and 70 make a permutation of 0 to 99."""
    table = "x,y\n" + "".join(f"{i},{i}\n" for i in range(100))
    dataset = read(tmp_path, table)
    sizes = [len(part.data) for part in (dataset.train, dataset.validation, dataset.test)]
    assert sizes == [70, 15, 15]
    raw = np.sort(whole(dataset)[:, 0])
    np.testing.assert_allclose(np.diff(raw), np.full(99, (raw[-1] - raw[0]) / 99), rtol=1e-3)


def test_byte_order_mark_quotes_and_crlf_change_nothing(tmp_path):
    """Oracle: the same table without them."""
    plain = read(tmp_path, "x,z,y\n" + ROWS, label="x")
    dressed = '\ufeff"x","z","y"\r\n' + ROWS.replace("\n", "\r\n")
    assert same(plain, read(tmp_path, dressed, label="x"))


def test_spaces_and_empty_lines_change_nothing(tmp_path):
    """Oracle: the same table without them."""
    plain = read(tmp_path, "x,z,y\n" + ROWS, label="x")
    spaced = '\nx , "z", y\n\n' + ROWS.replace("2,", ' "2", ').replace(",", " ,") + "\n"
    assert same(plain, read(tmp_path, spaced.replace('" ,', '",'), label="x"))


@pytest.mark.parametrize("separator", [";", "|", "\t"])
def test_separator_is_found(tmp_path, separator):
    """Oracle: the same table with commas."""
    table = "x,z,y\n" + ROWS
    assert same(read(tmp_path, table), read(tmp_path, table.replace(",", separator)))


def test_separator_inside_quotes_does_not_count(tmp_path):
    """Oracle: the same table with a plain name."""
    table = "x;z;y\n" + ROWS.replace(",", ";")
    assert same(read(tmp_path, table), read(tmp_path, table.replace("x;", '"x, in m";')))


def test_two_possible_separators_are_refused(tmp_path):
    """Oracle: each line of `1,1;1` has two cells either way; only the flag can tell."""
    table = "a,b;y\n1,1;1\n2,2;2\n3,3;3\n4,4;4\n5,5;5\n"
    assert "--dataset.separator" in refusal(tmp_path, table)
    assert read(tmp_path, table, separator=";", decimal=",").shape == (1,)


def test_decimal_commas_are_refused_or_read(tmp_path):
    """Oracle: 20,5 to 24,5 are 20.5, 21.25, 22, 23.5 and 24.5, 0, 3, 6, 12, 16 quarters up."""
    table = "t;y\n20,5;1\n21,25;0\n22;2\n23,5;3\n24,50;4\n"
    message = refusal(tmp_path, table)
    assert "line 2, column 't': '20,5'" in message and "--dataset.decimal ," in message
    raw = np.sort(whole(read(tmp_path, table, decimal=","))[:, 0])
    np.testing.assert_allclose((raw - raw[0]) / (raw[-1] - raw[0]) * 16, [0, 3, 6, 12, 16], 1e-5)


def test_mark_between_thousands_is_refused(tmp_path):
    """Oracle: `1.500` with decimal commas may be 1500 or 1.5; nobody can know."""
    message = refusal(tmp_path, "t;y\n1.500;0\n2;1\n3;2\n", decimal=",")
    assert "line 2, column 't': '1.500'" in message


def test_first_line_of_numbers_is_a_row(tmp_path):
    """Oracle: the same as with the flag, and a line that names the other one."""
    dataset = read(tmp_path, ROWS)
    assert same(dataset, read(tmp_path, ROWS, header="absent"))
    remark, *_ = dataset.remarks
    assert "called 1 to 3; say --dataset.header present" in remark


def test_number_among_names_is_said(tmp_path):
    """Oracle: x stands above numbers, so that the line has names, of which one is 2."""
    dataset = read(tmp_path, "x,2,y\n" + ROWS)
    assert same(dataset, read(tmp_path, "x,z,y\n" + ROWS))
    remark, *_ = dataset.remarks
    assert "'2' in the first line is a number" in remark and "--dataset.header absent" in remark


def test_line_that_may_be_names_or_a_row_is_refused(tmp_path):
    """Oracle: a word stands above words, numbers above numbers."""
    assert "--dataset.header absent" in refusal(tmp_path, "5.1,setosa,7\n4.9,setosa,8\n" * 3)


def test_absent_header_gives_every_line_as_a_row(tmp_path):
    """Oracle: the same rows below a line of names; columns are called 1, 2, 3."""
    named = read(tmp_path, "x,z,y\n" + ROWS, label="x")
    assert same(named, read(tmp_path, ROWS, header="absent", label="1"))


def test_header_of_numbers_is_read_on_demand(tmp_path):
    """Oracle: the same rows below other names."""
    named = read(tmp_path, "x,z,y\n" + ROWS, label="x")
    assert same(named, read(tmp_path, "2019,2020,2021\n" + ROWS, header="present", label="2019"))


@pytest.mark.parametrize("cell", ["X", "inf", "-inf", "1_000", "1 000", "0x10"])
def test_feature_that_is_no_number_is_refused(tmp_path, cell):
    """Oracle: the third row stands in line 4 of the file, its second cell is column z."""
    message = refusal(tmp_path, "x,z,y\n" + ROWS.replace("30", cell))
    assert f"line 4, column 'z': '{cell}'" in message


@pytest.mark.parametrize("cell", ["", " ", '""', "NA", "nan", "null", "?"])
def test_empty_feature_is_the_median(tmp_path, cell):
    """Oracle: the median of the other training rows, which are told by x."""
    lines = "".join(f"{x},{x * x},{x}\n" for x in range(20)).replace("4,16,", f"4,{cell},")
    dataset = read(tmp_path, "x,z,y\n" + lines, missing_marks="?, -")
    assert dataset.kept
    x, z = dataset.kept.preparation["numbers"].values()
    there = np.rint(dataset.train.data[:, 0] * x["deviation"] + x["mean"])
    assert z["fill"] == np.median(there[there != 4] ** 2)
    raw = np.sort(whole(dataset)[:, 1] * z["deviation"] + z["mean"])
    expected = np.sort([*(float(x * x) for x in range(20) if x != 4), z["fill"]])
    np.testing.assert_allclose(raw, expected, atol=1e-3)


def test_empty_feature_is_left_out_or_refused_on_demand(tmp_path):
    """Oracle: the third of five rows stands in line 4."""
    table = "x,z,y\n" + ROWS.replace("30", "")
    dataset = read(tmp_path, table, missing="drop")
    assert len(whole(dataset)) == 4
    assert dataset.remarks[0].startswith("rows left out without all features: 1, first")
    assert "line 4, column 'z'" in refusal(tmp_path, table, missing="refuse")


def test_row_without_a_label_is_left_out(tmp_path):
    """Oracle: two of five rows, the first in line 3."""
    dataset = read(tmp_path, "z,y,x\n" + "1,,1\n2, ,2\n" + ROWS, label="y")
    assert len(whole(dataset)) == 5
    assert "rows left out without a label: 2, first" in dataset.remarks[0]
    assert "line 2, column 'y'" in dataset.remarks[0]


def test_line_counts_as_an_editor_does(tmp_path):
    """Oracle: two empty lines and a quoted cell over two lines stand above line 7."""
    table = 'x,"z\nm",y\n\n1,10,1\n\n2,20,2\n3,X,3\n'
    assert "line 7, column 'z\\nm': 'X'" in refusal(tmp_path, table)


@pytest.mark.parametrize("row, cells", [("3,30", 2), ("3,30,3,3", 4), ("3,30,3,", 4)])
def test_ragged_row_is_refused(tmp_path, row, cells):
    """Oracle: line 4 has so many cells, the first line three."""
    message = refusal(tmp_path, "x,z,y\n" + ROWS.replace("3,30,3", row))
    assert f"line 4: {cells} cells" in message and "has 3" in message


@pytest.mark.parametrize("cells, line", [('2,"20,2', 3), ('2,"2"0,2', 3), ('5,60,"5', 6)])
def test_open_quote_is_refused(tmp_path, cells, line):
    """Oracle: the line where a quote is not closed, or not at the cell's end; none is guessed."""
    rows = ROWS.replace(cells.replace('"', ""), cells)
    assert f"line {line}" in refusal(tmp_path, "x,z,y\n" + rows)


@pytest.mark.parametrize("content", ["", "\ufeff", "\n\n", "x,z,y\n", "x,z,y\r\n\r\n"])
def test_file_without_rows_is_refused(tmp_path, content):
    """Oracle: there is nothing in them to train on."""
    assert "3" in refusal(tmp_path, content)


def test_single_column_is_refused(tmp_path):
    """Oracle: `x` cannot be feature and label at once."""
    assert "'x'" in refusal(tmp_path, "x\n1\n2\n3\n")


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_index_of_pandas_is_left_out(tmp_path, name):
    """Oracle: the first column, as pandas writes its index; the same without it."""
    dataset = read(tmp_path, f"{name},z,y\n" + ROWS)
    assert dataset.shape == (1,)
    assert dataset.found[-1] == "left out (1): Unnamed: 0 (names the rows)"
    without = "z,y\n" + ROWS.replace("1,10", "10").replace("2,20", "20").replace("3,30", "30")
    assert same(dataset, read(tmp_path, without.replace("4,40", "40").replace("5,60", "60")))


def test_repeated_column_name_is_refused(tmp_path):
    """Oracle: both columns are called x."""
    assert "'x'" in refusal(tmp_path, "x,x,y\n" + ROWS)


@pytest.mark.parametrize("label", ["prise", "PRICE"])
def test_unknown_label_names_the_nearest_column(tmp_path, label):
    """Oracle: both are one letter, or its case, from `price`."""
    message = refusal(tmp_path, "x,price,y\n" + ROWS, label=label)
    assert f"'{label}'" in message and "'price'" in message


def test_other_encoding_is_said(tmp_path):
    """Oracle: byte 0xe9 is é in Windows' code page and stands in line 2."""
    lines = "x,c,y\n" + "1,é,1\n2,b,2\n" * 5
    dataset = read(tmp_path, lines.encode("cp1252"))
    (remark,) = dataset.remarks
    assert "line 2: byte 0xe9 is not UTF-8" in remark and "cp1252" in remark
    assert dataset.kept and dataset.kept.preparation["categories"] == {"c": ["b", "é"]}


@pytest.mark.parametrize("name", ["", "absent.csv"])
def test_path_that_is_no_file_is_refused(tmp_path, name):
    """Oracle: a folder, and a file that is not there."""
    config = Config()
    config.dataset.path = str(tmp_path / name)
    with pytest.raises(InputError, match="dataset.path"):
        load(config)


def test_constant_feature_becomes_zero(tmp_path):
    """Oracle: 0.1 in each training row has no deviation; 0, not NaN and not rounding noise."""
    table = "x,z,y\n" + "".join(f"0.1,{i},{i}\n" for i in range(30))
    np.testing.assert_array_equal(whole(read(tmp_path, table))[:, 0], np.zeros(30))


def test_feature_that_is_constant_but_for_rounding_becomes_zero(tmp_path):
    """Oracle: 0.1 + 0.2 is 0.30000000000000004 and means 0.3."""
    cells = ("0.3", "0.30000000000000004")
    table = "x,z,y\n" + "".join(f"{cells[i % 2]},{i},{i}\n" for i in range(30))
    np.testing.assert_array_equal(whole(read(tmp_path, table))[:, 0], np.zeros(30))


@pytest.mark.parametrize("scale", ["e-170", "e-300", "e30"])
def test_feature_of_any_size_is_standardised(tmp_path, scale):
    """Oracle: 0, 1, ... 19, whose squares no float is too small or too large for."""
    near = "x,y\n" + "".join(f"{i},{i}\n" for i in range(20))
    far = "x,y\n" + "".join(f"{i}{scale},{i}\n" for i in range(20))
    np.testing.assert_allclose(
        whole(read(tmp_path, near)), whole(read(tmp_path, far)), rtol=1e-5, atol=1e-6
    )


def test_long_integers_keep_their_digits(tmp_path):
    """Oracle: nanoseconds of 19 digits that differ in the last; float64 has 15 to 17."""
    near = "x,y\n" + "".join(f"{i},{i}\n" for i in range(20))
    far = "x,y\n" + "".join(f"{1_700_000_000_000_000_000 + i},{i}\n" for i in range(20))
    np.testing.assert_array_equal(whole(read(tmp_path, near)), whole(read(tmp_path, far)))


def test_large_offset_keeps_its_digits(tmp_path):
    """Oracle: 1.7e9, 1.7e9 + 1, ... standardise as 0, 1, ... do; float32 alone would lose them."""
    near = "x,y\n" + "".join(f"{i},{i}\n" for i in range(20))
    far = "x,y\n" + "".join(f"{1_700_000_000 + i},{i}\n" for i in range(20))
    difference = whole(read(tmp_path, near)) - whole(read(tmp_path, far))
    np.testing.assert_allclose(difference, np.zeros((20, 1)), atol=1e-5)


def test_text_after_many_numbers_is_refused(tmp_path):
    """Oracle: the first X of 300 000 rows stands in line 100 002; no guess from the first rows."""
    rows = ["1,0\n"] * 100_000 + ["X,1\n"] * 100_000 + ["1,0\n"] * 100_000
    assert "line 100002, column 'x': 'X'" in refusal(tmp_path, "x,y\n" + "".join(rows))


LINES = [f"{i * i},{i % 7},{i % 2}\n" for i in range(100)]
"""a hundred different rows"""


def run_and_then(folder: Path, lines: list[str], header: str = "x,z,y\n", **settings: Any):
    """Return the dataset of a run on LINES, and that of a later evaluation on other lines."""
    run = read(folder, "x,z,y\n" + "".join(LINES))
    assert run.kept
    kept = Kept.from_json(run.kept.to_json())
    return run, read(folder, header + "".join(lines), kept, **settings)


def test_run_tests_the_same_rows_again(tmp_path):
    """Oracle: equality to the bit, and nothing to remark."""
    run, again = run_and_then(tmp_path, LINES)
    assert same(run, again)
    assert again.remarks == []


def test_order_of_rows_does_not_matter_to_a_run(tmp_path):
    """Oracle: the test split of the run, to the bit, from the table upside down."""
    run, again = run_and_then(tmp_path, LINES[::-1])
    assert same(run, again)
    (remark,) = again.remarks
    assert remark == (
        f"{tmp_path / 'data.csv'} changed since the run: 100 rows then, 100 now; none is new, and "
        f"the 15 of the test split that are still there are evaluated"
    )


def test_appended_rows_are_prepared_as_the_run_was(tmp_path):
    """Oracle: the old test rows to the bit, then 1000^2 and 1001^2 on the scale of the old ones."""
    run, again = run_and_then(tmp_path, [*LINES, "1000000,3,0\n", "1002001,3,1\n"])
    np.testing.assert_array_equal(again.test.data[:-2], run.test.data)
    squares = np.sort(whole(run)[:, 0].astype(np.float64))
    unit = (squares[-1] - squares[0]) / 99**2
    np.testing.assert_allclose(again.test.data[-2, 0], squares[0] + 1e6 * unit, rtol=1e-4)
    np.testing.assert_allclose(again.test.data[-1, 0], squares[0] + 1002001 * unit, rtol=1e-4)
    assert "100 rows then, 102 now; 2 rows are new and" in again.remarks[0]


def test_all_rows_of_a_new_file_are_tested(tmp_path):
    """Oracle: 30 rows that the run has not seen."""
    lines = [f"{i * i + 0.5},1,{i % 2}\n" for i in range(30)]
    _, again = run_and_then(tmp_path, lines, name="new.csv")
    assert len(again.test.data) == 30
    assert f"{tmp_path / 'new.csv'} has 30 rows, {tmp_path / 'data.csv'}" in again.remarks[0]


def test_rows_that_were_seen_are_not_tested(tmp_path):
    """Oracle: a message, if a file has only rows that were trained or validated on."""
    run = read(tmp_path, "x,z,y\n" + "".join(LINES))
    left = []
    for line in LINES:
        _, again = run_and_then(tmp_path, [line, "5.5,1,1\n"], name="new.csv")
        left += [line] * (len(again.test.data) == 2)
    assert len(left) == len(run.test.data) == 15
    with pytest.raises(InputError, match="trained or validated on all of them"):
        run_and_then(tmp_path, [line for line in LINES if line not in left], name="new.csv")


def test_columns_are_known_by_their_names(tmp_path):
    """Oracle: the same rows with the columns in another order, and one more, which is said."""
    moved = [",".join([*reversed(line.strip().split(",")), "9"]) + "\n" for line in LINES]
    run, again = run_and_then(tmp_path, moved, "y,z,x,more\n")
    assert same(run, again)
    assert again.remarks[1].endswith("has columns that the run had not: more")


@pytest.mark.parametrize("header", ["x,Z,y\n", "x,z,Y\n"])
def test_renamed_column_is_named(tmp_path, header):
    """Oracle: the run's name and the nearest one."""
    with pytest.raises(InputError, match="the run's column '[yz]' is not .* nearest is '[YZ]'"):
        run_and_then(tmp_path, LINES, header)


def test_what_was_found_is_said(tmp_path):
    """Oracle: 100 rows, features x and z, label y."""
    found = read(tmp_path, "x,z,y\n" + "".join(LINES)).found
    assert found[0] == "70 rows train, 15 validate, 15 test, each of shape (2,)"
    assert found[-2:] == ["features, numbers (2): x, z", "label: y"]


WORDS = "sex,when,name,id,y\n" + "".join(
    f"{('f', 'm', '')[i % 3]},2024-01-{i + 1:02},word {i},{i},{i % 2}\n" for i in range(30)
)
"""words of two kinds, or none; dates, free text and identifiers"""


def test_words_are_columns_of_0_and_1(tmp_path):
    """Oracle: ten rows each are (1, 0), (0, 1) and, where nothing stands, (0, 0)."""
    dataset = read(tmp_path, WORDS, id="id")
    rows = [tuple(row) for row in whole(dataset).tolist()]
    assert sorted(rows) == [(0, 0)] * 10 + [(0, 1)] * 10 + [(1, 0)] * 10


def test_what_becomes_of_each_column_is_said(tmp_path):
    """Oracle: sex is a feature, y the label; three columns say nothing."""
    found = read(tmp_path, WORDS, id="id").found
    assert found[-3:] == [
        "features, categories (1): sex",
        "label: y",
        "left out (3): when (dates), name (free text, 30 in 30 rows), id (names the rows)",
    ]


def test_columns_are_taken_and_left_out_by_name(tmp_path):
    """Oracle: days of January, one after the other, are a feature only where they are asked for."""
    taken = read(tmp_path, WORDS, take="when")
    plain = read(tmp_path, "when,y\n" + "".join(f"{i},{i % 2}\n" for i in range(30)))
    np.testing.assert_allclose(whole(taken), whole(plain), atol=1e-6)
    assert read(tmp_path, WORDS, leave_out='sex, "when"').shape == (1,)
    message = refusal(tmp_path, WORDS, leave_out="sex, id")
    assert "--dataset.take" in message and "--dataset.categories" in message


def test_numbers_are_categories_on_demand(tmp_path):
    """Oracle: 01 and 1 are two categories, to the letter; new ones are none, and are said."""
    lines = [f"{('1', '01')[i % 2]},{i % 2}\n" for i in range(20)]
    dataset = read(tmp_path, "x,y\n" + "".join(lines), categories="x")
    assert dataset.kept and dataset.kept.preparation["categories"] == {"x": ["01", "1"]}
    new = read(tmp_path, "x,y\n2,0\n1,1\n", dataset.kept, name="new.csv")
    assert new.test.data.tolist() == [[0, 0], [0, 1]]
    assert "column 'x' has categories the run had not: 2" in new.remarks[-1]


def test_name_that_occurs_once_is_needed(tmp_path):
    """Oracle: the nearest name."""
    message = refusal(tmp_path, "x,z,y\n" + ROWS, group="Z")
    assert "dataset.group 'Z' is not a column" in message and "'z'" in message


def test_groups_stay_together(tmp_path):
    """Oracle: rows of one g are in one split; g is no feature."""
    lines = [f"{i},site {i % 10},{i % 2}\n" for i in range(100)]
    dataset = read(tmp_path, "x,g,y\n" + "".join(lines), group="g")
    assert dataset.kept and dataset.shape == (1,)
    scale = dataset.kept.preparation["numbers"]["x"]
    splits = (dataset.train, dataset.validation, dataset.test)
    raw = [np.rint(split.data[:, 0] * scale["deviation"] + scale["mean"]) for split in splits]
    assert [len({*(x % 10)}) for x in raw] == [6, 2, 2]
    assert dataset.found[-1] == "left out (1): g (splits the rows)"
    assert sorted(len(x) for x in raw) == [20, 20, 60]


def test_last_days_are_tested(tmp_path):
    """Oracle: x counts the days; 30 rows are split 22, 4, 4 in that order, not the file's."""
    lines = [f"{i},2024-{1 + i // 28}-{1 + i % 28},{i % 2}\n" for i in range(30)]
    dataset = read(tmp_path, "x,when,y\n" + "".join(reversed(lines)), order="when")
    splits = (dataset.train, dataset.validation, dataset.test)
    means = [split.data[:, 0].mean() for split in splits]
    assert [len(split.data) for split in splits] == [22, 4, 4] and means == sorted(means)
    assert "is not a date" in refusal(tmp_path, WORDS, order="name")


def test_splits_are_those_that_are_given(tmp_path):
    """Oracle: x is 0 to train on, 1 to validate, 2 to test, and 3 nowhere."""
    lines = [f"{i % 3},{('Train', 'val', 'test')[i % 3]},{i % 2}\n" for i in range(30)]
    dataset = read(tmp_path, "x,s,y\n" + "".join(lines) + "0,train,0\n", split="s")
    assert [len(s.data) for s in (dataset.train, dataset.validation, dataset.test)] == [11, 10, 10]
    message = refusal(tmp_path, "x,s,y\n" + "".join(lines) + "3,other,0\n", split="s")
    assert "line 32, column 's': 'other' is not train, validation or test" in message
    assert "leave one" in refusal(tmp_path, "x,s,y\n" + "".join(lines), split="s", group="s")


def test_new_rows_are_prepared_as_the_run_was(tmp_path):
    """Oracle: the test rows of a run, without their label, in other columns, to the bit."""
    lines = [f"{i * i},{'ab'[i % 2]},{i},{i % 3 // 2}\n" for i in range(30)]
    run = read(tmp_path, "x,c,id,y\n" + "".join(lines), id="id")
    assert run.kept
    config = Config()
    new = [line.split(",") for line in lines]
    path = tmp_path / "new.csv"
    path.write_text("more,id,c,x\n" + "".join(f",{int(i):03},{c},{x}\n" for x, c, i, _ in new))
    names, data = read_new(config, run.kept, str(path))
    assert names == [f"{i:03}" for i in range(30)]
    known = {tuple(row) for row in data.tolist()}
    assert known == {tuple(row) for row in whole(run).tolist()}
    path.write_text("c,x\na,1\n")
    assert read_new(config, run.kept, str(path))[0] == ["1"]


def test_parquet_is_read(tmp_path):
    """Oracle: the same table as CSV."""
    frame = pd.read_csv(StringIO(WORDS))
    frame.to_parquet(tmp_path / "data.parquet")
    config = Config()
    config.dataset = replace(config.dataset, path=str(tmp_path / "data.parquet"))
    assert same(load(config), read(tmp_path, WORDS))
