

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


def test_classes_have_their_share_of_each_split(tmp_path):
    """Oracle: of 100 rows 20 are a: 3 of them are tested, 3 validated, as 15 of 100 are."""
    dataset = read(tmp_path, "x,y\n" + "".join(f"{i},{'abbbb'[i % 5]}\n" for i in range(100)))
    splits = (dataset.train, dataset.validation, dataset.test)
    assert [np.bincount(s.label).tolist() for s in splits] == [[14, 56], [3, 12], [3, 12]]


@pytest.mark.parametrize(("one", "other"), [("1", "1.0"), ("A", "a")])
def test_classes_that_look_alike_are_said(tmp_path, one, other):
    """Oracle: two classes as they are written, and a line that names both."""
    dataset = read(tmp_path, "x,y\n" + f"1,{one}\n2,{other}\n3,{one} \n" * 4)
    assert dataset.outputs == 2
    (remark,) = dataset.remarks
    assert f"{one!r} and {other!r} are two classes" in remark


def test_class_without_a_training_row_is_said(tmp_path):
    """Oracle: the column has the one row of b tested."""
    rows = "0,test,b\n" + "1,train,a\n2,train,c\n" * 10
    dataset = read(tmp_path, "x,part,y\n" + rows, split="part")
    (remark,) = dataset.remarks
    assert remark.endswith("column 'y': no training row is of the classes b")


def test_numbers_as_classes_are_questioned(tmp_path):
    """Oracle: 12 classes with decimals look like a regression's label; years do not."""
    lines = [f"{i},{i % 12}" for i in range(48)]
    dataset = read(tmp_path, "x,y\n" + "".join(f"{line}.5\n" for line in lines))
    assert "12 numbers as classes" in dataset.remarks[0]
    assert not read(tmp_path, "x,y\n" + "".join(f"{line}\n" for line in lines)).remarks


def test_identifiers_of_nineteen_digits_are_classes(tmp_path):
    """Oracle: two, which differ in the last digit alone."""
    rows = "1,1000000000000000001\n2,1000000000000000002\n" * 5
    assert read(tmp_path, "x,y\n" + rows).classes == ["1000000000000000001", "1000000000000000002"]
