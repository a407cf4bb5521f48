"""The text in a file."""

from codecs import BOM_UTF8
from pathlib import Path

from .config import Config
from .engine.errors import InputError
from .engine.kept import Kept
from .engine.rows import Dataset
from .text import split_text


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Read the text in ``dataset.path`` as the bytes of its UTF-8, without a byte-order mark.

    Raises:
        InputError: no such file, too little in it, or bytes that are not UTF-8.
    """
    path = Path(config.dataset.path)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"no text can be read from {path}: name a file with --dataset.path ({error.strerror})"
        ) from error
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 at byte {error.start}, {text[error.start]:#04x}: save it as UTF-8"
        ) from error
    settings = config.dataset
    text = text.removeprefix(BOM_UTF8)
    return split_text(text, settings.length, settings.stride, settings.path, kept)
