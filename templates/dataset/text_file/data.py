"""The text in a file, or in the files of a folder."""

import codecs
from pathlib import Path

import numpy as np

from .config import Config
from .engine.errors import InputError
from .engine.kept import Kept
from .engine.rows import Dataset, listed
from .text import split_text

BLOCK = 1 << 20
"""bytes that are looked at together"""


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Read the text in ``dataset.path`` as the bytes of its UTF-8, without byte-order marks.

    A file is mapped, so that it may be larger than memory. The files of a folder and of those in
    it, without hidden ones, are read one after the other in the order of their paths.

    Raises:
        InputError: no such file, too little in it, or bytes that are not UTF-8.
    """
    settings = config.dataset
    path = Path(settings.path)
    files = find_files(path)
    texts = [read_file(file) for file in files]
    text = texts[0] if len(texts) == 1 else np.concatenate(texts)
    notes = []
    if path.is_dir():
        names = [str(file.relative_to(path)) for file in files]
        notes = [f"{len(files)} files in {path}: {listed(names)}"]
    return split_text(text.data, settings.length, settings.stride, settings.path, kept, notes)


def find_files(path: Path) -> list[Path]:
    """Return ``path``, or the files below it that are not hidden, sorted.

    Raises:
        InputError: there are none.
    """
    if not path.is_dir():
        return [path]
    below = sorted(path.rglob("*"))
    files = [file for file in below if file.is_file() and not is_hidden(file.relative_to(path))]
    if not files:
        raise InputError(f"the folder {path} holds no text: name another one with --dataset.path")
    return files


def is_hidden(path: Path) -> bool:
    """Tell whether a file or a folder that it is in begins with a dot."""
    return any(part.startswith(".") for part in path.parts)


def read_file(path: Path) -> np.ndarray:
    """Map the bytes of a text, (bytes,) uint8, without a byte-order mark.

    Raises:
        InputError: they cannot be read, or are not UTF-8.
    """
    try:
        empty = not path.stat().st_size
        text = np.zeros(0, np.uint8) if empty else np.memmap(path, np.uint8, "r")
    except OSError as error:
        raise InputError(
            f"no text can be read from {path}: name a file with --dataset.path ({error.strerror})"
        ) from error
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(text) + 1, BLOCK):
        pending = len(decoder.getstate()[0])
        block = text[start : start + BLOCK].tobytes()
        try:
            decoder.decode(block, final=len(block) < BLOCK)
        except UnicodeDecodeError as error:
            at = start - pending + error.start
            raise InputError(
                f"{path} is not UTF-8 at byte {at}, {text[at]:#04x}: save it as UTF-8, such as "
                f"with iconv --from-code=ENCODING --to-code=UTF-8"
            ) from error
    mark = text[: len(codecs.BOM_UTF8)].tobytes() == codecs.BOM_UTF8
    return text[len(codecs.BOM_UTF8) * mark :]
