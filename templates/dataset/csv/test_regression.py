

def test_label_is_standardised_and_its_unit_kept(tmp_path):
    """Oracle: NumPy on the labels 0, 10, ..., 190, which the training rows give back."""
    table = "x,y\n" + "".join(f"{i},{10 * i}\n" for i in range(20))
    dataset = read(tmp_path, table)
    np.testing.assert_allclose(dataset.train.label.mean(), 0, atol=1e-6)
    np.testing.assert_allclose(dataset.train.label.std(), 1, rtol=1e-6)
    splits = (dataset.train, dataset.validation, dataset.test)
    label = np.sort(np.concatenate([split.label for split in splits])[:, 0]) * dataset.label_unit
    np.testing.assert_allclose(label - label[0], 10 * np.arange(20), atol=1e-3)


def test_label_stays_with_its_row(tmp_path):
    """Oracle: y = -3 x + 7, so both standardised differ in sign only."""
    table = "y,x\n" + "".join(f"{7 - 3 * i},{i}\n" for i in range(20))
    dataset = read(tmp_path, table, label="y")
    for split in (dataset.train, dataset.validation, dataset.test):
        np.testing.assert_allclose(split.label, -split.data, atol=1e-5)


def test_arrays_are_as_the_network_wants_them(tmp_path):
    """Oracle: the contract, float32 (rows, features) and (rows, 1), and one output."""
    dataset = read(tmp_path, "x,z,y\n" + ROWS)
    assert dataset.train.data.shape == (3, 2) and dataset.train.label.shape == (3, 1)
    assert dataset.train.data.dtype == dataset.train.label.dtype == np.float32
    assert dataset.outputs == 1


@pytest.mark.parametrize("cell", ["X", "inf"])
def test_label_that_is_no_number_is_refused(tmp_path, cell):
    """Oracle: the fourth row stands in line 5, its label in the first column."""
    message = refusal(tmp_path, "y,z,x\n" + ROWS.replace("4,40", f"{cell},40"), label="y")
    assert "line 5, column 'y'" in message


def test_constant_label_is_refused(tmp_path):
    """Oracle: y is 5 in each row."""
    message = refusal(tmp_path, "x,y\n1,5\n2,5\n3,5\n4,5\n")
    assert "'y' is 5" in message


def test_label_that_is_constant_but_for_rounding_is_refused(tmp_path):
    """Oracle: 0.1 + 0.2 is 0.30000000000000004 and means 0.3."""
    assert "'y' is 0.3" in refusal(tmp_path, "x,y\n" + "1,0.3\n2,0.30000000000000004\n" * 4)


@pytest.mark.parametrize("scale", ["e-170", "e30"])
def test_label_of_any_size_is_standardised(tmp_path, scale):
    """Oracle: the same labels without the power of ten, which is that of the unit."""
    near = read(tmp_path, "x,y\n" + "".join(f"{i},{i}\n" for i in range(20)))
    far = read(tmp_path, "x,y\n" + "".join(f"{i},{i}{scale}\n" for i in range(20)))
    np.testing.assert_allclose(near.train.label, far.train.label, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(far.label_unit / near.label_unit, float(f"1{scale}"), rtol=1e-9)


def test_labels_of_nineteen_digits_that_differ_are_a_label(tmp_path):
    """Oracle: the same labels without 10^18, which a float64 gives up the last digits for."""
    near = read(tmp_path, "x,y\n" + "".join(f"{i},{i}\n" for i in range(20)))
    far = read(tmp_path, "x,y\n" + "".join(f"{i},{10**18 + i}\n" for i in range(20)))
    assert same(near, far)
    assert near.label_unit == far.label_unit


def test_label_is_scaled_as_the_run_was(tmp_path):
    """Oracle: 1000 is (1000 - mean) / deviation of the run's training rows, by NumPy."""
    run = read(tmp_path, "x,y\n" + "".join(f"{i},{10 * i}\n" for i in range(20)))
    assert run.kept
    scale = run.kept.preparation
    again = read(tmp_path, "x,y\n7,1000\n", run.kept, name="new.csv")
    assert again.label_unit == run.label_unit == scale["label_deviation"]
    expected = (1000 - scale["label_mean"]) / scale["label_deviation"]
    np.testing.assert_allclose(again.test.label, [[expected]], rtol=1e-6)
