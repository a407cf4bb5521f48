"""Files that are whole at any moment, in folders where one process writes."""

import os
import sys
from itertools import count
from pathlib import Path

from .errors import InputError

HELD: dict[Path, int] = {}
"""folders that this process holds, each with the number of the open file"""


def write(path: Path, text: str) -> None:
    """Write a text file that ends with a line's end; a killed run leaves the old one or the new."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    sync(beside)
    beside.replace(path)


def states(folder: Path) -> list[Path]:
    """List the states in a folder, the newest first."""
    older = [sorted(folder.glob(f"state.{digits}.ckpt")) for digits in ("[0-9]", "[0-9][0-9]")]
    return [path for path in (folder / "state.ckpt", *older[0], *older[1]) if path.exists()]


def put_aside(path: Path) -> None:
    """Rename a damaged file, so that it is in nobody's way: to ``<name>.damaged.1`` and so on."""
    numbers = count(1)
    while (aside := path.with_name(f"{path.name}.damaged.{next(numbers)}")).exists():
        pass
    path.replace(aside)


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    if path.is_dir() and os.name != "posix":  # Windows opens no folders
        return
    file = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def hold(folder: Path) -> None:
    """Keep other processes out of a folder until ``release``, or until this one ends or is killed.

    Nothing is kept out on Windows, nor on a disk without locks.

    Raises:
        InputError: another process holds it.
    """
    if sys.platform == "win32" or folder.resolve() in HELD:
        return
    import fcntl

    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        if isinstance(error, BlockingIOError):
            raise InputError(
                f"another process is training in {folder}: wait for it, or name another folder "
                f"with --run_dir"
            ) from error
    else:
        HELD[folder.resolve()] = file


def release(folder: Path) -> None:
    """Let other processes into a folder again."""
    file = HELD.pop(folder.resolve(), None)
    if file is not None:
        os.close(file)
