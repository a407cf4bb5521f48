

def test_single_class_is_refused(tmp_path):
    """Oracle: there are only cats."""
    paint(tmp_path / "cat" / "0.png")
    assert "'cat'" in refusal(tmp_path)


def test_folder_without_classes_is_refused(tmp_path):
    """Oracle: images lie in the folder itself."""
    paint(tmp_path / "0.png")
    assert str(tmp_path) in refusal(tmp_path)
