"""Images in folders, a folder for each class."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from .config import Config
from .engine.errors import InputError
from .engine.rows import Dataset, Split, split_rows

SUFFIXES = (".bmp", ".gif", ".jpeg", ".jpg", ".png", ".webp")
FORMATS = ("BMP", "GIF", "JPEG", "PNG", "WEBP")


def load(config: Config) -> Dataset:
    """Read every image below ``dataset.path`` into (rows, channels, size, size).

    Classes are numbered in the sorted order of their folders' names. Each channel gets mean 0 and
    deviation 1 over the training rows; one that is constant there becomes 0.

    Raises:
        InputError: fewer than two classes, a class without images, or a file that is no image.
    """
    settings = config.dataset
    classes = find_classes(Path(settings.path))
    files = [find_images(folder) for folder in classes]
    data = np.stack(
        [read_image(path, settings.size, settings.channels) for paths in files for path in paths]
    )
    label = np.repeat(np.arange(len(classes), dtype=np.int32), [len(paths) for paths in files])
    splits = split_rows(len(data), config.seed)
    mean, deviation = statistics(data[splits[0]])
    data = (data - mean) / deviation
    train, validation, test = (Split(data[rows], label[rows]) for rows in splits)
    return Dataset(train, validation, test, outputs=len(classes))


def find_classes(parent: Path) -> list[Path]:
    """Return the class folders in ``parent``, sorted by name; hidden ones do not count.

    Raises:
        InputError: there are fewer than two.
    """
    if not parent.is_dir():
        raise InputError(f"dataset.path {str(parent)!r} is not a folder: name one of images")
    folders = sorted(path for path in parent.iterdir() if path.is_dir() and not is_hidden(path))
    if len(folders) < 2:
        found = f"one class folder, {folders[0].name!r}" if folders else "no class folders"
        raise InputError(f"{parent} has {found}: make one for each of at least 2 classes")
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


def statistics(images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each channel's mean and deviation, (channels, 1, 1) float32; infinity if constant."""
    pixels = images.astype(np.float64)
    axes = (0, 2, 3)
    mean = pixels.mean(axis=axes, keepdims=True)[0]
    deviation = pixels.std(axis=axes, keepdims=True)[0]
    deviation[np.ptp(pixels, axis=axes) == 0] = np.inf
    return mean.astype(np.float32), deviation.astype(np.float32)
