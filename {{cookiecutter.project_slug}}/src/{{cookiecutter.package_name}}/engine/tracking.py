"""A tracker beside the log of a run: it shows the same elsewhere, and its failures stop no run.

Every project can have one, also of its own: ``track`` of ``Task`` makes it.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from ..config import Config
from .log import curve_of

Record = dict[str, Any]
"""a line of ``metrics.jsonl``: ``step``, ``epoch``, ``split`` and metrics"""


class Tracker(Protocol):
    """Shows a run elsewhere."""

    def log(self, record: Record) -> None:
        """Show a record, such that it stays if the process ends now."""

    def close(self, finished: bool) -> None:
        """Let go of the run, which is finished, or was stopped and may be resumed."""


CreateTracker = Callable[[Config, Path, list[Record]], Tracker]
"""``(settings, folder, records that a resumed run has) -> tracker``"""


class Tracking:
    """Tells a tracker what a run logs, until the tracker fails: that is said in one line."""

    def __init__(self, create: CreateTracker | None, say: Callable[[str], None]):
        self.create, self.say = create, say
        self.tracker: Tracker | None = None

    def begin(self, config: Config, folder: Path, records: list[Record]) -> None:
        """Make the tracker, if the task has one."""
        if self.create:
            with self.guarded():
                self.tracker = self.create(config, folder, records)

    def log(self, record: Record) -> None:
        """Show a record."""
        if self.tracker:
            with self.guarded():
                self.tracker.log(record)

    def end(self, finished: bool) -> None:
        """Let go of the run."""
        if self.tracker:
            with self.guarded():
                self.tracker.close(finished)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Do without the tracker if it fails."""
        try:
            yield
        except Exception as error:  # whatever a library, a disk or a network may raise
            self.tracker = None
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            self.say(f"the tracker failed, and the run goes on without it: {reason}")


def points(record: Record) -> dict[str, float]:
    """Name the metrics of a record ``metric/split``; null, which is no number in JSON, is NaN.

    Those of a line within an epoch are called ``metric/updates``.
    """
    return {
        f"{name}/{curve_of(record)}": math.nan if value is None else float(value)
        for name, value in record.items()
        if name not in ("step", "epoch", "split")
    }
