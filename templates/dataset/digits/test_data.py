"""The digits against what is known of them."""

import numpy as np
from built_in import all_rows
from sklearn.datasets import load_digits

from package.config import Config
from package.data import load, read_new

COUNTS = [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
"""images of each digit, as UCI's documentation of the test set counts them"""


def test_shapes_and_types():
    """Oracle: the contract of a dataset, 15 % of 1 797 rows each for validation and test."""
    dataset = load(Config())
    assert (dataset.shape, dataset.outputs) == ((1, 8, 8), 10)
    for split, rows in ((dataset.train, 1257), (dataset.validation, 270), (dataset.test, 270)):
        assert (split.data.shape, split.data.dtype) == ((rows, 1, 8, 8), np.float32)
        assert (split.label.shape, split.label.dtype) == ((rows,), np.int32)


def test_every_image_is_there_once_and_upright():
    """Oracle: scikit-learn's ``images``, (rows, 8, 8) and 0 to 16, matched as a set of pairs."""
    data, label = all_rows(Config())
    bunch = load_digits()
    pixels = np.rint((data[:, 0] + 1) * 8).astype(int)
    found = sorted((image.tobytes(), int(digit)) for image, digit in zip(pixels, label))
    images = bunch.images.astype(int)
    assert found == sorted((image.tobytes(), int(d)) for image, d in zip(images, bunch.target))


def test_digits_are_counted_as_documented():
    """Oracle: the counts in UCI's documentation."""
    _, label = all_rows(Config())
    assert np.bincount(label).tolist() == COUNTS


def test_blank_is_minus_one_and_full_ink_is_one():
    """Oracle: the range 0 to 16 of the source, which both ends of occur."""
    data, _ = all_rows(Config())
    assert (data.min(), data.max()) == (-1, 1)
    np.testing.assert_array_equal(np.rint(data * 8), data * 8)


def test_classes_are_counted():
    """Oracle: UCI's documentation of the test set."""
    counted = ", ".join(f"{digit} ({count})" for digit, count in enumerate(COUNTS))
    assert load(Config()).found[1] == f"10 classes: {counted}"


def test_new_images_are_prepared_as_the_others(tmp_path):
    """Oracle: scikit-learn's own pixels give the rows that were trained on."""
    dataset = load(Config())
    assert dataset.kept
    np.save(tmp_path / "new.npy", load_digits().data)
    names, images = read_new(Config(), dataset.kept, str(tmp_path / "new.npy"))
    assert names[-1] == "1797"
    known = {image.tobytes() for image in images}
    assert all(row.tobytes() in known for row in dataset.test.data)
