"""The image folder: small images whose right values, or right refusals, were worked out by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from package.config import Config
from package.data import load, read_new
from package.engine.errors import InputError
from package.engine.images import read_image
from package.engine.kept import Kept
from package.engine.rows import Dataset
from package.engine.streams import Stream


def paint(path: Path, level: int = 128) -> None:
    """Write a grey RGB image of 4 x 4 pixels."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (4, 4), (level, level, level)).save(path)


def pets(folder: Path, images: int = 10) -> None:
    """Write darkening cats and brightening dogs."""
    for i in range(images):
        paint(folder / "cat" / f"{i}.png", 100 - i)
        paint(folder / "dog" / f"{i}.png", 150 + i)


def read(folder: Path, kept: Kept | None = None, **settings: Any) -> Dataset:
    """Load the images in ``folder`` at 4 x 4 pixels, as the run did that has ``kept`` something."""
    config = Config()
    config.dataset = replace(config.dataset, path=str(folder), size=4, **settings)
    return load(config, kept)


def refusal(folder: Path) -> str:
    """Load the images in ``folder``, which must be refused, and return the message."""
    with pytest.raises(InputError) as caught:
        read(folder)
    return str(caught.value)


def whole(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the images and the labels of the three splits together."""
    splits = (dataset.train, dataset.validation, dataset.test)
    data = np.concatenate([np.asarray(split.data) for split in splits])
    return data, np.concatenate([split.label for split in splits])


def test_classes_are_numbered_in_sorted_order(tmp_path):
    """Oracle: cats are dark and come before dogs, so label 0 goes with what is below the mean."""
    pets(tmp_path)
    data, label = whole(read(tmp_path))
    assert sorted(label) == [0] * 10 + [1] * 10
    np.testing.assert_array_equal(data[:, 0, 0, 0] > 0, label)


def test_arrays_are_as_the_network_wants_them(tmp_path):
    """Oracle: the contract, float32 (rows, channels, size, size) and int32 (rows,)."""
    pets(tmp_path)
    colour, grey = read(tmp_path), read(tmp_path, channels=1)
    assert colour.train.data.shape == (14, 3, 4, 4) and grey.train.data.shape == (14, 1, 4, 4)
    assert colour.train.data.dtype == np.float32
    assert colour.train.label.dtype == np.int32 and colour.train.label.shape == (14,)
    assert colour.outputs == 2


def test_channels_are_standardised_by_the_training_rows(tmp_path):
    """Oracle: mean 0 and deviation 1 in each channel of the training rows, not of the others."""
    rng = np.random.default_rng(0)
    pets(tmp_path)
    for path in tmp_path.glob("*/*.png"):
        pixels = rng.integers([0, 40, 80], [50, 140, 250], (4, 4, 3)).astype(np.uint8)
        Image.fromarray(pixels).save(path)
    dataset = read(tmp_path)
    axes = (0, 2, 3)
    np.testing.assert_allclose(dataset.train.data.mean(axis=axes), np.zeros(3), atol=1e-5)
    np.testing.assert_allclose(dataset.train.data.std(axis=axes), np.ones(3), rtol=1e-5)
    assert np.abs(dataset.test.data.mean(axis=axes)).max() > 1e-3


def test_constant_channel_becomes_zero(tmp_path):
    """Oracle: green and blue are 7 everywhere; 0, not NaN and not rounding noise."""
    for name, red in (("cat", 10), ("dog", 200)):
        (tmp_path / name).mkdir()
        for i in range(5):
            Image.new("RGB", (4, 4), (red + i, 7, 7)).save(tmp_path / name / f"{i}.png")
    data, _ = whole(read(tmp_path))
    np.testing.assert_array_equal(data[:, 1:], np.zeros((10, 2, 4, 4)))
    assert data[:, 0].std() > 0.5


def test_sixteen_bit_grey_keeps_its_levels(tmp_path):
    """Oracle: 257 i of 65535 is i of 255; 256 levels, one at the maximum."""
    path = tmp_path / "grey.png"
    levels = (257 * np.arange(256)).astype(np.uint16)[None]
    Image.fromarray(levels).save(path)
    for channels in (1, 3):
        image = read_image(path, 256, channels)
        assert image.shape == (channels, 256, 256)
        np.testing.assert_allclose(image[-1, 100], np.arange(256), atol=1e-3)


COLOURS = {
    "rgb.png": (Image.new("RGB", (4, 4), (200, 100, 50)), (200, 100, 50)),
    "l.png": (Image.new("L", (4, 4), 70), (70, 70, 70)),
    "one.png": (Image.new("1", (4, 4), 1), (255, 255, 255)),
    "la.png": (Image.new("LA", (4, 4), (0, 51)), (204, 204, 204)),
    "rgba.png": (Image.new("RGBA", (4, 4), (255, 0, 0, 102)), (255, 153, 153)),
    "clear_red.png": (Image.new("RGBA", (4, 4), (255, 0, 0, 0)), (255, 255, 255)),
    "cmyk.jpg": (Image.new("CMYK", (4, 4), (0, 255, 255, 0)), (255, 0, 0)),
}


@pytest.mark.parametrize("name", COLOURS)
def test_every_mode_gives_three_channels_on_white(tmp_path, name):
    """Oracle: colour a + white (1 - a) by hand, for alpha a of 0, 0.2, 0.4 and 1."""
    image, colour = COLOURS[name]
    image.save(tmp_path / name)
    pixels = read_image(tmp_path / name, 4, 3)
    assert pixels.shape == (3, 4, 4) and pixels.dtype == np.float32
    np.testing.assert_allclose(pixels[:, 1, 2], colour, atol=3 if name.endswith(".jpg") else 1)


@pytest.mark.parametrize("suffix", ["png", "gif"])
def test_transparent_colour_of_a_palette_is_white(tmp_path, suffix):
    """Oracle: palette entry 1 is blue and transparent, entry 0 is red and not."""
    image = Image.new("P", (2, 1))
    image.putpalette([255, 0, 0, 0, 0, 255])
    image.putdata([0, 1])
    path = tmp_path / f"palette.{suffix}"
    image.save(path, transparency=1)
    pixels = read_image(path, 2, 3)
    np.testing.assert_array_equal(pixels[:, 0].T, [[255, 0, 0], [255, 255, 255]])


def test_grey_weighs_colours_as_the_eye_does(tmp_path):
    """Oracle: ITU-R 601, 0.299 R + 0.587 G + 0.114 B = 124.2 for (200, 100, 50)."""
    Image.new("RGB", (4, 4), (200, 100, 50)).save(tmp_path / "colour.png")
    pixels = read_image(tmp_path / "colour.png", 4, 1)
    np.testing.assert_allclose(pixels, np.full((1, 4, 4), 124.2), atol=1)


def test_rows_and_columns_are_not_exchanged(tmp_path):
    """Oracle: the array that was written, moved to (channels, height, width)."""
    written = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    Image.fromarray(written).save(tmp_path / "image.png")
    np.testing.assert_array_equal(
        read_image(tmp_path / "image.png", 4, 3), written.transpose(2, 0, 1)
    )


def test_exif_orientation_turns_the_image_upright(tmp_path):
    """Oracle: orientation 6 says that the picture's top is the stored right side."""
    stored = np.zeros((16, 16), np.uint8)
    stored[:, :8] = 255
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(stored).save(tmp_path / "turned.jpg", exif=exif, quality=100)
    pixels = read_image(tmp_path / "turned.jpg", 16, 1)[0]
    np.testing.assert_allclose(pixels[:8], np.full((8, 16), 255), atol=2)
    np.testing.assert_allclose(pixels[8:], np.zeros((8, 16)), atol=2)


def test_shrinking_averages(tmp_path):
    """Oracle: a board of black and white pixels has mean 127.5; a sample would be 0 or 255."""
    board = (255 * (np.indices((64, 64)).sum(axis=0) % 2)).astype(np.uint8)
    Image.fromarray(board).save(tmp_path / "board.png")
    pixels = read_image(tmp_path / "board.png", 8, 1)
    np.testing.assert_allclose(pixels[0, 1:-1, 1:-1], np.full((6, 6), 127.5), atol=1.5)


def broken(path: Path, kind: str) -> None:
    """Write a file that looks like an image by its name only."""
    if kind == "cut":
        noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)
        Image.fromarray(noise).save(path, format="JPEG")
        path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    else:
        path.write_bytes(b"" if kind == "empty" else b"not an image\n")


@pytest.mark.parametrize("kind, name", [("cut", "z.jpg"), ("empty", "z.png"), ("text", "z.jpg")])
def test_broken_file_is_refused(tmp_path, kind, name):
    """Oracle: the path of the last file, which cannot be decoded."""
    pets(tmp_path)
    broken(tmp_path / "dog" / name, kind)
    assert str(tmp_path / "dog" / name) in refusal(tmp_path)


def test_what_the_system_left_is_no_class(tmp_path):
    """Oracle: cat and dog, whatever else lies beside and in them."""
    pets(tmp_path)
    for name in (".ipynb_checkpoints", "__MACOSX"):
        paint(tmp_path / name / "x.png")
    for name in (".DS_Store", "readme.txt", "cat/Thumbs.db", "cat/._0.png"):
        (tmp_path / name).write_bytes(b"x")
    dataset = read(tmp_path)
    assert dataset.outputs == 2
    assert len(whole(dataset)[1]) == 20


SUFFIXES = ("jpg", "JPG", "jpeg", "JPEG", "jfif", "JFIF", "jpe", "Jpe", "PNG", "bmp", "webp", "gif")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffix_counts_in_any_case(tmp_path, suffix):
    """Oracle: one file more than the twenty."""
    pets(tmp_path)
    form = "JPEG" if suffix.lower().startswith("j") else suffix.upper()
    Image.new("RGB", (4, 4)).save(tmp_path / "cat" / f"more.{suffix}", form)
    assert len(whole(read(tmp_path))[1]) == 21


def test_empty_class_folder_is_refused(tmp_path):
    """Oracle: emu holds nothing."""
    pets(tmp_path)
    (tmp_path / "emu").mkdir()
    assert str(tmp_path / "emu") in refusal(tmp_path)


@pytest.mark.parametrize("name", ["absent", "file.png"])
def test_path_that_is_no_folder_is_refused(tmp_path, name):
    """Oracle: what is not there, and a file."""
    paint(tmp_path / "file.png")
    assert str(tmp_path / name) in refusal(tmp_path / name)


def test_what_is_left_out_is_counted(tmp_path):
    """Oracle: what was put there, by kind; the twenty images are used."""
    pets(tmp_path)
    paint(tmp_path / "cat" / "deeper" / "0.png")
    (tmp_path / "dog" / "gone.jpg").symlink_to(tmp_path / "nowhere.jpg")
    for name in ("readme.txt", "cat/notes.txt", "cat/.hidden"):
        (tmp_path / name).write_bytes(b"x")
    found = read(tmp_path).found
    assert found[1] == "2 classes: cat (10), dog (10)"
    text = str(tmp_path)
    assert sorted(found[2:]) == [
        f"left out in {text}, files that are no image of a class: 2, readme.txt, cat/notes.txt",
        f"left out in {text}, folders in a class folder: 1, cat/deeper",
        f"left out in {text}, hidden: 1, cat/.hidden",
        f"left out in {text}, links to nothing: 1, dog/gone.jpg",
    ]


def test_link_to_an_image_counts(tmp_path):
    """Oracle: one file more than the twenty, which lies elsewhere."""
    pets(tmp_path / "pets")
    paint(tmp_path / "elsewhere.png")
    (tmp_path / "pets" / "cat" / "link.png").symlink_to(tmp_path / "elsewhere.png")
    assert len(whole(read(tmp_path / "pets"))[1]) == 21


def test_run_tests_the_same_images_again(tmp_path):
    """Oracle: equality to the bit, and nothing to remark; whatever the files are called now."""
    pets(tmp_path)
    run = read(tmp_path)
    again = read(tmp_path, run.kept)
    np.testing.assert_array_equal(run.test.data, again.test.data)
    assert again.remarks == []
    (tmp_path / "cat" / "0.png").rename(tmp_path / "cat" / "z.png")
    renamed = read(tmp_path, run.kept)
    np.testing.assert_array_equal(run.test.data, renamed.test.data)
    assert "20 rows then, 20 now; none is new" in renamed.remarks[0]


def test_new_images_are_prepared_as_the_run_was(tmp_path):
    """Oracle: a dog of level 155 is as bright as the one that the run had, whatever else is new."""
    pets(tmp_path / "pets")
    run = read(tmp_path / "pets")
    paint(tmp_path / "new" / "dog" / "0.png", 0)
    paint(tmp_path / "new" / "dog" / "1.png", 255)
    again = read(tmp_path / "new", run.kept)
    assert again.test.label.tolist() == [1, 1]
    levels = np.sort(whole(run)[0][:, 0, 0, 0])
    unit = (levels[-1] - levels[0]) / (159 - 91)
    expected = [levels[0] - 91 * unit, levels[0] + (255 - 91) * unit]
    np.testing.assert_allclose(again.test.data[:, 0, 0, 0], expected, rtol=1e-4)
    assert "has 2 rows" in again.remarks[0]


def test_class_that_the_run_had_not_is_named(tmp_path):
    """Oracle: emu, where the run had cat and dog."""
    pets(tmp_path)
    kept = read(tmp_path).kept
    paint(tmp_path / "emu" / "0.png")
    with pytest.raises(InputError, match="'emu' is not a class of the run: cat, dog"):
        read(tmp_path, kept)


def test_a_class_for_each_image_is_questioned(tmp_path):
    """Oracle: four images in four folders."""
    for i in range(4):
        paint(tmp_path / str(i) / "0.png", 10 * i)
    assert "has 4 class folders for 4 images" in read(tmp_path).remarks[0]


@pytest.mark.parametrize("channels", [1, 3])
def test_streamed_images_are_those_in_memory(tmp_path, channels):
    """Oracle: what is held in memory; no image is resized, and every mode has 8 bits."""
    pets(tmp_path)
    for name, (image, _) in COLOURS.items():
        image.save(tmp_path / "cat" / name)
    held = read(tmp_path, channels=channels)
    streamed = read(tmp_path, channels=channels, in_memory=0)
    for one, other in zip(whole(held), whole(streamed)):
        np.testing.assert_allclose(one, other, atol=0.03)
    assert "the images are read anew in each epoch" in streamed.found
    assert streamed.train.data.shape == held.train.data.shape


def test_streamed_image_is_resized_by_averaging(tmp_path):
    """Oracle: a board of black and white pixels has mean 127.5, the mean of all images."""
    board = (255 * (np.indices((64, 64)).sum(axis=0) % 2)).astype(np.uint8)
    for name in ("a/0.jpg", "a/1.jpg", "b/0.jpg", "b/1.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        Image.fromarray(board).save(tmp_path / name, quality=100)
    read_again = read(tmp_path, in_memory=0)
    assert read_again.kept is not None
    mean = np.ravel(read_again.kept.preparation["mean"])
    np.testing.assert_allclose(mean, np.full(3, 127.5), atol=1.5)


def test_training_images_alone_are_augmented(tmp_path):
    """Oracle: an epoch without it; those that are not for training are read as they are."""
    pets(tmp_path)
    rng = np.random.default_rng(0)
    for path in tmp_path.glob("*/*.png"):
        Image.fromarray(rng.integers(0, 256, (16, 16, 3), np.uint8)).save(path)
    config = Config()
    config.dataset = replace(config.dataset, path=str(tmp_path), size=16, augment=True)
    data = load(config).train.data
    assert isinstance(data, Stream)
    order = np.arange(14).reshape(7, 2)
    plain = np.stack(list(data.batches(order)))
    np.testing.assert_array_equal(plain, np.asarray(data).reshape(plain.shape))
    first, second = (np.stack(list(data.epoch(order, 0, (0, epoch)))) for epoch in (1, 2))
    assert first.shape == second.shape == plain.shape
    assert not np.array_equal(first, plain) and not np.array_equal(first, second)


@pytest.mark.parametrize("kind, name", [("cut", "z.jpg"), ("empty", "z.png"), ("text", "z.jpg")])
def test_broken_file_is_refused_before_it_is_streamed(tmp_path, kind, name):
    """Oracle: the path of the last file, which cannot be decoded."""
    pets(tmp_path)
    broken(tmp_path / "dog" / name, kind)
    with pytest.raises(InputError, match=name):
        read(tmp_path, in_memory=0)


def test_run_reads_as_it_did(tmp_path):
    """Oracle: equality to the bit, whether its images would now be held in memory or not."""
    pets(tmp_path)
    run = read(tmp_path, in_memory=0)
    again = read(tmp_path, run.kept)
    assert isinstance(again.test.data, Stream)
    np.testing.assert_array_equal(np.asarray(run.test.data), np.asarray(again.test.data))


@pytest.mark.parametrize("in_memory", [0, 200])
def test_new_images_need_no_class(tmp_path, in_memory):
    """Oracle: what ``load`` makes of the same files, to the bit; a folder, and a single image."""
    pets(tmp_path / "pets")
    run = read(tmp_path / "pets", in_memory=in_memory)
    assert run.kept is not None
    config = Config()
    config.dataset = replace(config.dataset, size=4)
    names, data = read_new(config, run.kept, str(tmp_path / "pets"))
    assert names[0] == "cat/0.png" and len(names) == 20
    rows = {row.tobytes() for row in np.asarray(data)}
    assert rows == {row.tobytes() for row in whole(run)[0]}
    single = str(tmp_path / "pets" / "cat" / "0.png")
    names, one = read_new(config, run.kept, single)
    assert names == [single]
    np.testing.assert_array_equal(np.asarray(one)[0], np.asarray(data)[0])
    with pytest.raises(InputError, match="no folder of images"):
        read_new(config, run.kept, str(tmp_path / "absent"))
