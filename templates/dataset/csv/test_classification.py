

def classes(dataset: Dataset) -> list[int]:
    """Count the rows of each class."""
    splits = (dataset.train, dataset.validation, dataset.test)
    return np.bincount(np.concatenate([split.label for split in splits])).tolist()


def test_classes_are_those_of_all_rows(tmp_path):
    """Oracle: 100 000 rows `1`, as many `X`, as many `1`: two classes, the first twice as large."""
    rows = ["0,1\n"] * 100_000 + ["0,X\n"] * 100_000 + ["0,1\n"] * 100_000
    dataset = read(tmp_path, "x,y\n" + "".join(rows))
    assert dataset.outputs == 2
    assert classes(dataset) == [200_000, 100_000]


def test_label_stays_with_its_row(tmp_path):
    """Oracle: class a where x is -1, b where it is 1, in sorted order 0 and 1."""
    table = "x,y\n" + "1,b\n-1,a\n" * 20
    dataset = read(tmp_path, table)
    for split in (dataset.train, dataset.validation, dataset.test):
        np.testing.assert_array_equal(split.label, split.data[:, 0] > 0)


@pytest.mark.parametrize("name", ["NA", "None", "null", "nan", "0"])
def test_name_that_looks_like_nothing_is_a_class(tmp_path, name):
    """Oracle: two names, two rows of the one and three of the other."""
    dataset = read(tmp_path, f"x,y\n1,{name}\n2,{name}\n3,z\n4,z\n5,z\n")
    assert dataset.outputs == 2
    assert classes(dataset) == [2, 3]


def test_arrays_are_as_the_loss_wants_them(tmp_path):
    """Oracle: the contract, float32 (rows, features) and int32 (rows,)."""
    dataset = read(tmp_path, "x,z,y\n" + ROWS)
    assert dataset.train.data.shape == (3, 2) and dataset.train.label.shape == (3,)
    assert dataset.train.data.dtype == np.float32
    assert dataset.train.label.dtype == np.int32


@pytest.mark.parametrize("cell", ["", " ", '""'])
def test_empty_label_is_refused(tmp_path, cell):
    """Oracle: the third row stands in line 4."""
    message = refusal(tmp_path, f"x,y\n1,a\n2,b\n3,{cell}\n4,b\n")
    assert "line 4, column 'y'" in message and "empty" in message


def test_single_class_is_refused(tmp_path):
    """Oracle: y is `a` in each row."""
    assert "'a'" in refusal(tmp_path, "x,y\n1,a\n2,a\n3,a\n4,a\n")


def test_classes_are_counted(tmp_path):
    """Oracle: fifty rows of either class, in the table's own words."""
    lines = "".join(f"{i},{'ab'[i % 2]}\n" for i in range(100))
    assert "2 classes: a (50), b (50)" in read(tmp_path, "x,y\n" + lines).found


def test_label_with_a_class_for_each_row_is_questioned(tmp_path):
    """Oracle: 30 rows have 30 classes; with 15 classes there is nothing to ask."""
    dataset = read(tmp_path, "x,y\n" + "".join(f"{i},{i}\n" for i in range(30)))
    (remark,) = dataset.remarks
    assert "column 'y' has 30 classes in 30 rows" in remark and "--dataset.label" in remark
    assert not read(tmp_path, "x,y\n" + "".join(f"{i},{i % 15}\n" for i in range(30))).remarks


def test_classes_are_the_runs(tmp_path):
    """Oracle: a file with the second class alone keeps its number; another class is named."""
    kept = read(tmp_path, "x,y\n" + "1,a\n-1,b\n" * 20).kept
    assert read(tmp_path, "x,y\n5,b\n", kept, name="new.csv").test.label.tolist() == [1]
    with pytest.raises(InputError, match="line 3, column 'y': 'emu' is not a class .*: a, b"):
        read(tmp_path, "x,y\n5,b\n5,emu\n", kept, name="new.csv")
