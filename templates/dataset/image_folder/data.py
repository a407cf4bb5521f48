"""Images in folders, a folder for each class."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from mindspore.dataset import vision

from .config import Config, DatasetConfig
from .engine.errors import InputError
from .engine.images import (
    BLOCK,
    find_below,
    find_classes,
    find_images,
    left_out,
    read_image,
    scale_of,
    stream_files,
    watched,
)
from .engine.kept import Kept, Source, divide, hashes
from .engine.rows import Dataset, listed
from .engine.scaling import standardise
from .engine.streams import Rows, Stream


def augmentations(settings: DatasetConfig) -> list:
    """Return what happens to a training image, anew in each epoch, with ``dataset.augment``.

    Add, change or remove operations of ``mindspore.dataset.vision`` here. An image is
    (size, size, 3) uint8 before them and after them.
    """
    return [
        vision.RandomCrop(settings.size, settings.size // 8),
        vision.RandomHorizontalFlip(),
    ]


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Find the images below ``dataset.path``, as (rows, channels, size, size).

    They are read at once, or, where ``dataset.in_memory`` does not hold them or they are augmented,
    anew in each epoch. Classes are numbered in the sorted order of their folders' names. Each
    channel gets mean 0 and deviation 1 over the training rows; one that is constant there becomes
    0. Where ``kept`` says what a run had, classes, scale and the way of reading are the run's.

    Raises:
        InputError: too few classes, a class without images or one that the run had not, or a file
            that is no image.
    """
    settings = config.dataset
    parent = Path(settings.path)
    folders = find_classes(parent, FEWEST if kept is None else 1)
    files = [path for folder in folders for path in find_images(folder)]
    names = {folder: folder.relative_to(parent).as_posix() for folder in folders}
    classes = kept.preparation["classes"] if kept else [*names.values()]
    for folder, name in names.items():
        if name not in classes:
            raise InputError(f"{folder}: {name!r} is not a class of the run: {listed(classes)}")
    number = {name: i for i, name in enumerate(classes)}
    label = np.array([number[names[path.parent]] for path in files], np.int32)
    contents = (
        names[path.parent].encode() + b"/" + path.read_bytes()
        for path in watched(files, f"looking through {parent}")
    )
    division = divide(Source(settings.path, hashes(contents)), config.split_seed, kept)
    if kept is None:
        preparation = {"classes": classes, "streamed": is_streamed(len(files), settings)}
    else:
        preparation = {"streamed": False, **kept.preparation}
    notes = left_out(parent, folders, files)
    if preparation["streamed"]:
        data: Rows = open_images(files, settings, preparation, division.numbers.train)
        notes.append("the images are read anew in each epoch")
    else:
        data = read_images(files, settings, preparation, division.numbers.train)
    remarks = []
    if kept is None and 2 * len(classes) > len(files):
        remarks.append(
            f"{parent} has {len(classes)} class folders for {len(files)} images: is another folder "
            f"meant by --dataset.path?"
        )
    return division.dataset(
        data,
        label,
        len(classes),
        classes=classes,
        notes=notes,
        remarks=remarks,
        preparation=preparation,
    )


def read_new(config: Config, kept: Kept, path: str) -> tuple[list[str], Rows]:
    """Read images that have no class, prepared as the run did.

    Args:
        config: settings of the run.
        kept: what it kept.
        path: of an image, or of a folder that holds some, in itself or in folders below.

    Returns:
        The images' paths in that folder, and (images, channels, size, size) float32.

    Raises:
        InputError: there is none, or a file is no image.
    """
    files = find_below(Path(path))
    images = open_images if kept.preparation.get("streamed") else read_images
    return [*files], images([*files.values()], config.dataset, kept.preparation, np.arange(0))


def is_streamed(images: int, settings: DatasetConfig) -> bool:
    """Tell whether so many images are read anew in each epoch."""
    size = 4 * images * settings.channels * settings.size**2
    return settings.augment or size > 1e6 * settings.in_memory


def read_images(
    files: Sequence[Path], settings: DatasetConfig, preparation: dict[str, Any], train: np.ndarray
) -> np.ndarray:
    """Read images into (files, channels, size, size) float32, scaled.

    Args:
        files: their paths.
        settings: size and channels.
        preparation: holds mean and deviation; a new run's are written into it.
        train: numbers of the training rows, whose they are.

    Raises:
        InputError: a file is no image.
    """
    data = np.empty((len(files), settings.channels, settings.size, settings.size), np.float32)
    for i, path in enumerate(watched(files, "reading images")):
        data[i] = read_image(path, settings.size, settings.channels)
    if "mean" not in preparation:
        preparation.update(scale_of(data, train))
    for start in range(0, len(data), BLOCK):  # so that there are no two of them
        block = data[start : start + BLOCK]
        block[...] = standardise(block, preparation["mean"], preparation["deviation"])
    return data


def open_images(
    files: Sequence[Path], settings: DatasetConfig, preparation: dict[str, Any], train: np.ndarray
) -> Stream:
    """Make a stream of images, augmented in training.

    Args:
        files: as for ``read_images``, like the others.
        settings: see there; also whether training images are augmented, and the threads.
        preparation: see there.
        train: see there.

    Raises:
        InputError: a file is no image.
    """
    changes = partial(augmentations, settings) if settings.augment else list
    shape = settings.channels, settings.size, settings.size
    return stream_files(files, changes, shape, settings.workers, preparation, train)
