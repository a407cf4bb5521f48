"""What a person sees of a run: a bar on a terminal, elsewhere a line an epoch."""

from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from .log import describe, metrics_of

SHOWN = ("loss", "learning_rate", "rows_per_second")
"""what the bar shows of the updates"""


class Screen:
    """A bar over the updates of a run, and lines; nothing of both if ``quiet``.

    Args:
        epochs: of the run.
        updates: of the run.
        quiet: say nothing.
    """

    def __init__(self, epochs: int, updates: int, quiet: bool):
        self.epochs, self.quiet = epochs, quiet
        self.now = self.judged = ""
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
            self.progress.console.print(*lines, sep="\n", markup=False, highlight=False)

    def move(self, epoch: int, update: int, record: dict[str, Any] | None = None) -> None:
        """Move the bar to an update; show what was logged of those before it."""
        if record:
            self.now = describe({name: record[name] for name in SHOWN if name in record})
        parts = [f"epoch {epoch}/{self.epochs}", self.now, self.judged]
        text = ", ".join(filter(None, parts))
        self.progress.update(self.bar, completed=update, description=text)

    def judge(self, epoch: int, update: int, records: list[dict[str, Any]], place: str) -> None:
        """Show what was logged at the end of an epoch or, which ``place`` says, within it."""
        splits = [f"{record['split']} {describe(metrics_of(record))}" for record in records]
        if not self.progress.disable:
            self.judged = ", ".join(splits)
            self.move(epoch, update)
        elif not self.quiet:
            number = f"{epoch:{len(str(self.epochs))}}/{self.epochs}"
            print(f"epoch {number}{place}: {', '.join(splits)}", flush=True)


def duration(seconds: float) -> str:
    """Say how long something takes, to two digits or so.

    ``42 s``, ``7 min``, ``3 h 20 min``, ``2 d 4 h``
    """
    for unit, size, smaller, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60)):
        if seconds >= size:
            whole, rest = divmod(round(seconds / part), size // part)
            return f"{whole} {unit} {rest} {smaller}"
    return f"{round(seconds / 60)} min" if seconds >= 60 else f"{max(1, round(seconds))} s"
