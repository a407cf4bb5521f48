

def test_images_are_those_of_the_folder(tmp_path: Path):
    """By hand: dark cats and light dogs, the last of them transparent, which is white."""
    from PIL import Image

    for i in range(10):
        for name, level in (("cat", 100 - i), ("dog", 200 + i)):
            (tmp_path / "pets" / name).mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (4, 4), (level,) * 3).save(tmp_path / "pets" / name / f"{i}.png")
    Image.new("RGBA", (4, 4), (9, 9, 9, 0)).save(tmp_path / "pets" / "dog" / "9.png")
    prepare(tmp_path / "pets", tmp_path / "pets.mindrecord")
    dataset = read(tmp_path / "pets.mindrecord")
    data, label = whole(dataset)
    assert (dataset.shape, dataset.classes) == ((3, 4, 4), ["cat", "dog"])
    np.testing.assert_array_equal(data[:, 0, 0, 0] > 0, label == 1)
    assert dataset.kept is not None
    scale = dataset.kept.preparation
    levels = data[:, 0, 0, 0] * np.ravel(scale["deviation"])[0] + np.ravel(scale["mean"])[0]
    expected = sorted([*range(91, 101), *range(200, 209), 255])
    np.testing.assert_allclose(np.sort(levels), expected, atol=1e-3)
    names, new = read_new(Config(), dataset.kept, str(tmp_path / "pets"))
    assert names[0] == "cat/0.png"
    assert {row.tobytes() for row in np.asarray(new)} == {row.tobytes() for row in data}


def test_single_class_is_refused(tmp_path: Path):
    """By hand: the label is 1 in every row."""
    with pytest.raises(InputError, match="all rows are of class '1'"):
        read(write(tmp_path, ["1,2,1"] * 20))


def test_class_that_the_run_had_not_is_named(tmp_path: Path, table: Path):
    """By hand: 3, where the run had 1 and 2."""
    kept = read(table).kept
    other = write(tmp_path, [f"1,2,{y}" for y in ("1", "2", "3")])
    with pytest.raises(InputError, match="'3' is no class of the run: 1, 2"):
        read(other, kept)
