"""Images in folders, a folder for each class."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from .config import Config
from .engine.errors import InputError
from .engine.kept import Kept, Source, divide, hashes
from .engine.rows import Dataset, listed
from .engine.scaling import standardise, statistics

SUFFIXES = (".bmp", ".gif", ".jfif", ".jpe", ".jpeg", ".jpg", ".png", ".webp")
FORMATS = ("BMP", "GIF", "JPEG", "PNG", "WEBP")


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Read every image below ``dataset.path`` into (rows, channels, size, size).

    Classes are numbered in the sorted order of their folders' names. Each channel gets mean 0 and
    deviation 1 over the training rows; one that is constant there becomes 0. Where ``kept`` says
    what a run had, classes and scale are the run's.

    Raises:
        InputError: fewer than two classes, a class without images or one that the run had not, or
            a file that is no image.
    """
    settings = config.dataset
    parent = Path(settings.path)
    folders = find_classes(parent, kept)
    files = [path for folder in folders for path in find_images(folder)]
    data = np.stack([read_image(path, settings.size, settings.channels) for path in files])
    classes = kept.preparation["classes"] if kept else [folder.name for folder in folders]
    number = {name: i for i, name in enumerate(classes)}
    label = np.array([number[path.parent.name] for path in files], np.int32)
    contents = (path.parent.name.encode() + b"/" + path.read_bytes() for path in files)
    division = divide(Source(settings.path, hashes(contents)), config.split_seed, kept)
    remarks = []
    if kept is None:
        preparation = {"classes": classes, **scale_of(data[division.numbers.train])}
    else:
        preparation = kept.preparation
    if kept is None and 2 * len(classes) > len(files):
        remarks.append(
            f"{parent} has {len(classes)} class folders for {len(files)} images: is another folder "
            f"meant by --dataset.path?"
        )
    return division.dataset(
        standardise(data, preparation["mean"], preparation["deviation"]),
        label,
        len(classes),
        classes=classes,
        notes=left_out(parent, folders, files),
        remarks=remarks,
        preparation=preparation,
    )


def find_classes(parent: Path, kept: Kept | None = None) -> list[Path]:
    """Return the class folders in ``parent``, sorted by name; hidden ones do not count.

    Raises:
        InputError: there are fewer than two, or one that the run had not.
    """
    if not parent.is_dir():
        raise InputError(f"dataset.path {str(parent)!r} is not a folder: name one of images")
    folders = sorted(path for path in parent.iterdir() if path.is_dir() and not is_hidden(path))
    if len(folders) < (1 if kept else 2):
        found = f"one class folder, {folders[0].name!r}" if folders else "no class folders"
        raise InputError(f"{parent} has {found}: make one for each of at least 2 classes")
    for folder in folders:
        if kept and folder.name not in (classes := kept.preparation["classes"]):
            raise InputError(
                f"{folder}: {folder.name!r} is not a class of the run: {listed(classes)}"
            )
    return folders


def find_images(folder: Path) -> list[Path]:
    """Return the images that lie in ``folder``, sorted by name; other files do not count.

    Raises:
        InputError: there is none.
    """
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    files = [path for path in files if path.is_file() and not is_hidden(path)]
    if not files:
        raise InputError(
            f"class folder {folder} holds no image ({' '.join(SUFFIXES)}): add some or remove it"
        )
    return files


def left_out(parent: Path, folders: list[Path], files: list[Path]) -> list[str]:
    """Count by kind, with the first of each, what lies in and beside the class folders unused."""
    used = {*folders, *files}
    kinds: dict[str, list[str]] = {}
    for folder in (parent, *folders):
        for path in sorted(set(folder.iterdir()) - used):
            kinds.setdefault(kind_of(path), []).append(str(path.relative_to(parent)))
    return [
        f"left out in {parent}, {kind}: {len(names)}, {listed(names)}"
        for kind, names in kinds.items()
    ]


def kind_of(path: Path) -> str:
    """Say why ``path`` is not read."""
    if is_hidden(path):
        return "hidden"
    if path.is_dir():
        return "folders in a class folder"
    if path.is_symlink() and not path.exists():
        return "links to nothing"
    return "files that are no image of a class"


def is_hidden(path: Path) -> bool:
    """Tell whether the system or a notebook made ``path`` for itself."""
    return path.name.startswith(".") or path.name == "__MACOSX"


def read_image(path: Path, size: int, channels: int) -> np.ndarray:
    """Read an image into (channels, size, size) float32, from 0 to 255.

    It is turned upright as its EXIF orientation says, laid on white where it is transparent, and
    resized, without keeping its aspect, by a bilinear filter that averages when it shrinks. An
    animation gives its first frame. 16-bit grey keeps its fractions of a level.

    Raises:
        InputError: the file is not a whole image.
    """
    try:
        with Image.open(path, formats=FORMATS) as file:
            image = ImageOps.exif_transpose(file)
            if image.mode.startswith("I"):  # 16 bits, which convert() would clip to 8
                bands = [Image.fromarray(np.asarray(image, np.float32) / 257)] * channels
            else:
                paper = Image.new("RGBA", image.size, "white")
                opaque = Image.alpha_composite(paper, image.convert("RGBA"))
                bands = list(opaque.convert("L" if channels == 1 else "RGB").split())
            bands = [band.resize((size, size), Image.Resampling.BILINEAR) for band in bands]
    except Exception as error:  # Pillow's decoders raise all sorts of them
        raise InputError(f"{path} is not a whole image ({error}): mend or remove it") from error
    return np.stack([np.asarray(band, np.float32) for band in bands])


def scale_of(images: np.ndarray) -> dict[str, list[float]]:
    """Return each channel's mean and deviation, as (channels, 1, 1)."""
    mean, deviation = statistics(images, (0, 2, 3))
    return {"mean": mean.tolist(), "deviation": deviation.tolist()}
