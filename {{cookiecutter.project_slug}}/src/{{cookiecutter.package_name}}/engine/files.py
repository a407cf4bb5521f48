"""Files that are whole at any moment."""

import os
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write a text file that ends with a line's end; a killed run leaves the old one or the new."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    sync(beside)
    beside.replace(path)


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    if path.is_dir() and os.name != "posix":  # Windows opens no folders
        return
    file = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
