"""What a person sees of a run: a bar on a terminal, elsewhere lines."""

import time
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from .log import describe, metrics_of

SHOWN = ("loss", "learning_rate", "rows_per_second")
"""what is shown of the updates"""
SILENCE = 60
"""seconds without a line after which updates make one, where there is no bar"""


class Screen:
    """A bar over the updates of a run, or a line an epoch and a minute; neither if ``quiet``.

    Args:
        epochs: of the run.
        updates: of the run.
        quiet: say nothing.
    """

    def __init__(self, epochs: int, updates: int, quiet: bool):
        self.epochs, self.quiet = epochs, quiet
        self.now = self.judged = ""
        self.spoke = time.monotonic()
        self.progress = Progress(
            TextColumn("update"),
            MofNCompleteColumn(),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            disable=quiet or not Console().is_terminal,
        )
        self.bar = self.progress.add_task("compiling", total=updates)

    def say(self, *lines: str) -> None:
        """Print lines."""
        if not self.quiet:
            for line in lines:
                self.progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def move(self, epoch: int, update: int, record: dict[str, Any] | None = None) -> None:
        """Move the bar to an update; show what was logged of those before it."""
        if record:
            self.now = describe({name: record[name] for name in SHOWN if name in record})
            if time.monotonic() - self.spoke > SILENCE:
                self.print(epoch, f", update {update}", self.now)
        parts = f"epoch {epoch}/{self.epochs}", self.now, self.judged
        text = ", ".join(filter(None, parts))
        self.progress.update(self.bar, completed=update, description=text)

    def judge(self, epoch: int, update: int, records: list[dict[str, Any]], place: str) -> None:
        """Show what was logged at the end of an epoch or, which ``place`` says, within it."""
        splits = [f"{record['split']} {describe(metrics_of(record))}" for record in records]
        self.judged = ", ".join(splits)
        self.print(epoch, place, self.judged)
        self.move(epoch, update)

    def print(self, epoch: int, place: str, text: str) -> None:
        """Print a line, where there is no bar."""
        if self.progress.disable and not self.quiet:
            number = f"{epoch:{len(str(self.epochs))}}/{self.epochs}"
            print(f"epoch {number}{place}: {text}", flush=True)
        self.spoke = time.monotonic()


def duration(seconds: float) -> str:
    """Say how long something takes, to two digits or so.

    ``42 s``, ``7 min``, ``3 h 20 min``, ``2 d 4 h``
    """
    for unit, size, smaller, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60)):
        if seconds >= size:
            whole, rest = divmod(round(seconds / part), size // part)
            return f"{whole} {unit} {rest} {smaller}"
    return f"{round(seconds / 60)} min" if seconds >= 60 else f"{max(1, round(seconds))} s"
