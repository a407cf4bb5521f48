"""What a run says: the lines of ``metrics.jsonl``, and those for a person."""

import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import InputError, RunError
from .files import sync


class Log:
    """The records of a run, each of them a line in a file.

    Args:
        path: the file.
        writes: whether this process writes it, or only has the records.
    """

    def __init__(self, path: Path, writes: bool = True):
        self.path, self.writes = path, writes
        self.records: list[dict[str, Any]] = []

    def append(self, record: dict[str, Any]) -> None:
        """Write one line.

        Raises:
            RunError: the file cannot be written.
        """
        self.records.append(record)
        if not self.writes:
            return
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(to_json(record) + "\n")
        except OSError as error:
            raise RunError(f"{self.path} cannot be written: {error}") from error

    def read(self, lines: int) -> None:
        """Take the first ``lines`` of the file for all that there is.

        Raises:
            InputError: there are fewer, or they are no records.
        """
        try:
            found = self.path.read_bytes().splitlines()[:lines] if lines else []
            self.records = [json.loads(line) for line in found]
        except (OSError, ValueError) as error:
            raise InputError(f"{self.path} cannot be read: {error}") from error
        if len(found) < lines:
            raise InputError(
                f"{self.path} has {len(found)} lines, and the state was saved after {lines}"
            )

    def cut(self) -> None:
        """Cut off what the file has more than the records, such as half a line."""
        if self.writes and self.path.exists():
            with self.path.open("r+b") as file:
                for _ in self.records:
                    file.readline()
                file.truncate(file.tell())

    def sync(self) -> None:
        """Wait until the file is on the disk.

        Raises:
            RunError: the disk fails.
        """
        try:
            if self.path.exists():
                sync(self.path)
        except OSError as error:
            raise RunError(f"{self.path} cannot be written: {error}") from error


def remark(line: str) -> None:
    """Question something in one line on standard error."""
    print(f"note: {line}", file=sys.stderr, flush=True)


def within_epoch(record: dict[str, Any]) -> bool:
    """Tell whether a record is of the updates since the one before, not of an epoch or a split."""
    return "seconds" in record


def curve_of(record: dict[str, Any]) -> str:
    """Name what a record is a point of: the updates, or the whole of a split."""
    return "updates" if within_epoch(record) else str(record["split"])


def metrics_of(record: dict[str, Any]) -> dict[str, float]:
    """Leave out of a record where it stands."""
    return {name: x for name, x in record.items() if name not in ("step", "epoch", "split")}


def to_json(record: dict[str, Any]) -> str:
    """Write a record as one line; NaN and infinity, which JSON does not have, become null."""
    return json.dumps(
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in record.items()
        }
    )


def describe(metrics: Mapping[str, float | None]) -> str:
    """Format metrics for a line of text; null in a record, which was no number, as NaN."""
    return ", ".join(
        f"{name} {math.nan if value is None else value:.4g}" for name, value in metrics.items()
    )
