

def test_flat_folder_is_one_class(tmp_path):
    """Oracle: ten images of one class, and the same ones again for the run that had them."""
    for i in range(10):
        paint(tmp_path / f"{i}.png", 10 * i)
    run = read(tmp_path)
    assert whole(run)[1].tolist() == [0] * 10 and run.outputs == 1
    again = read(tmp_path, run.kept)
    np.testing.assert_array_equal(run.test.data, again.test.data)


def test_single_class_is_enough(tmp_path):
    """Oracle: there are only cats."""
    for i in range(10):
        paint(tmp_path / "cat" / f"{i}.png", 10 * i)
    assert read(tmp_path).classes == ["cat"]
