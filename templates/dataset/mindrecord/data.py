"""MindRecord shards of images or of numbers, as ``prepare`` writes them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import mindspore.dataset as ds
import numpy as np
from mindspore.dataset import vision

from .config import Config, DatasetConfig
from .engine.errors import InputError
from .engine.images import MOST, find_below, stream_files, stream_images
from .engine.kept import Division, Kept, Source, divide, hashes
from .engine.numbers import read_rows
from .engine.rows import Dataset
from .engine.scaling import standardise, statistics
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
    """Read the labels in ``dataset.path``; the rows' ``data`` are read anew in each epoch.

    ``data`` is a vector of float64, or the bytes of an image file, which become
    (channels, size, size). Each feature or channel gets mean 0 and deviation 1 over the training
    rows, or the first MOST of them. Where ``kept`` says what a run had, its scale and classes hold.

    Raises:
        InputError: no such shards, or they have no ``data`` and ``label``.
    """
    settings = config.dataset
    files = find_shards(Path(settings.path))

    def read(columns: list[str], **order: Any) -> ds.Dataset:
        return ds.MindDataset(files, columns, num_parallel_workers=settings.workers, **order)

    fingerprints, labels, first = look_through(read, settings.path)
    division = divide(Source(settings.path, fingerprints), config.split_seed, kept)
    label, outputs, form = read_labels(labels, division, settings.path)
    preparation = {**(kept.preparation if kept else {}), **form.pop("preparation")}
    train = division.numbers.train

    def source(numbers: Sequence[int]) -> ds.Dataset:
        return read(["data"], sampler=ds.SubsetSampler(list(numbers)))

    if first.dtype.kind == "S":  # bytes
        data = stream_images(
            source,
            partial(augmentations, settings) if settings.augment else list,
            len(labels),
            (settings.channels, settings.size, settings.size),
            settings.workers,
            preparation,
            train,
            "row {}".format,
        )
    else:
        data = stream_vectors(source, len(labels), first.shape, preparation, train)
    return division.dataset(data, label, outputs, preparation=preparation, **form)


def read_new(config: Config, kept: Kept, path: str) -> tuple[list[str], Rows]:
    """Read new images, one or a folder, or rows of numbers, prepared as the run did.

    Returns:
        The paths of the images or the numbers of the rows, and (rows, *shape) float32.

    Raises:
        InputError: there is none, or a file cannot be read.
    """
    scale = kept.preparation
    if len(kept.shape) == 1:
        names, rows = read_rows(path, kept.shape)
        return names, standardise(rows, scale["mean"], scale["deviation"])
    channels, size, _ = kept.shape
    files, shape = find_below(Path(path)), (channels, size, size)
    workers = config.dataset.workers
    return [*files], stream_files([*files.values()], list, shape, workers, scale, np.arange(0))


def find_shards(path: Path) -> list[str]:
    """Return ``path``, or what is called so with digits at the end, sorted.

    Raises:
        InputError: there is none.
    """
    shards = [file for file in path.parent.glob(f"{path.name}*") if file.suffix != ".db"]
    shards = [file for file in shards if not file.name[len(path.name) :].strip("0123456789")]
    if not shards:
        raise InputError(f"there is no {path}: write it with the command prepare")
    return sorted(map(str, shards))


def look_through(read: Any, path: str) -> tuple[np.ndarray, list, np.ndarray]:
    """Return fingerprints and labels of all rows, and the ``data`` of the first.

    Raises:
        InputError: the shards cannot be read, or have other columns.
    """
    contents, labels = [], []
    try:
        rows = read(["data", "label"], shuffle=False).create_tuple_iterator(
            num_epochs=1, output_numpy=True
        )
        for data, label in rows:
            contents.append(hashes([str(label).encode() + b"/" + data.tobytes()]))
            labels.append(label.item())
    except RuntimeError as error:
        message = " ".join(str(error).split())
        raise InputError(f"{path} cannot be read as rows of data and label: {message}") from error
    first = next(read(["data"], shuffle=False).create_tuple_iterator(output_numpy=True))[0]
    return np.concatenate(contents), labels, first


def stream_vectors(
    source: Any, rows: int, shape: tuple[int, ...], preparation: dict[str, Any], train: np.ndarray
) -> Stream:
    """Make a stream of vectors, scaled.

    Args:
        source: ``(numbers) -> dataset`` of vectors of float64.
        rows: how many there are.
        shape: of a row.
        preparation: holds mean and deviation; a new run's are written into it.
        train: numbers of the training rows.
    """
    if "mean" not in preparation:
        raw = Stream(
            lambda numbers, training: source(numbers), train[:MOST], shape, dtype=np.dtype("f8")
        )
        mean, deviation = statistics(np.asarray(raw))
        preparation.update(mean=mean.tolist(), deviation=deviation.tolist())
    mean, deviation = np.array(preparation["mean"]), np.array(preparation["deviation"])

    def pipeline(numbers: Sequence[int], training: bool) -> ds.Dataset:
        return source(numbers).map(lambda row: standardise(row, mean, deviation))

    return Stream(pipeline, np.arange(rows), shape)
