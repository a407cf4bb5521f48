"""The run: its folder, its log, its best weights, and what a person sees of it."""

import json
import math
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml
from mindspore import nn
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..config import Config
from . import checkpoint
from .errors import InputError, RunError
from .pictures import draw_curves

PACKAGES = ("mindspore", "numpy")


class Run:
    """A run folder, by default ``runs/<time>``, and the position in the run.

    The folder holds ``config.yaml``, ``manifest.json``, ``data.json``, ``metrics.jsonl``,
    ``curves.png`` and ``checkpoints/``. On a terminal a bar shows the progress, elsewhere a line an
    epoch; nothing does if ``quiet``.

    Raises:
        InputError: the folder holds a run already, or cannot be made.
    """

    def __init__(self, config: Config, quiet: bool = False):
        self.config, self.quiet = config, quiet
        self.records: list[dict[str, Any]] = []
        self.epoch = self.step = 0
        self.highest = -math.inf
        self.before = self.now = math.nan
        try:
            self.folder = Path(config.run_dir) if config.run_dir else new_folder(Path("runs"))
            if (self.folder / "metrics.jsonl").exists():
                raise InputError(f"run_dir {config.run_dir!r} holds a run: name another folder")
            (self.folder / "checkpoints").mkdir(parents=True, exist_ok=True)
            self.write("config.yaml", yaml.safe_dump(asdict(config), sort_keys=False))
            self.write("manifest.json", json.dumps(manifest(config.seed), indent=2) + "\n")
        except OSError as error:
            raise InputError(f"the run's folder cannot be made: {error}") from error
        self.best = self.folder / "checkpoints" / "best.ckpt"
        self.progress = Progress(
            TextColumn("epoch"),
            MofNCompleteColumn(),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            disable=quiet or not Console().is_terminal,
        )
        self.bar = self.progress.add_task("compiling", total=config.epochs)

    def __enter__(self) -> "Run":
        self.progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.progress.stop()

    def write(self, name: str, text: str) -> None:
        """Write a text file into the folder."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def introduce(self, found: list[str], remarks: list[str], kept: Any) -> None:
        """Say what is trained on what, and keep what ``evaluate`` must know of the data."""
        if kept is not None:
            self.write("data.json", json.dumps(kept, ensure_ascii=False) + "\n")
        if not self.quiet:
            self.progress.console.print(*found, sep="\n", markup=False, highlight=False)
        for line in remarks:
            remark(line)

    def begin(self, score: float) -> None:
        """Note the score of the untrained weights, which the last ones are compared with."""
        self.before = score

    def epochs(self, epochs: int, steps_per_epoch: int) -> Iterator[int]:
        """Count the epochs, and show at the end of each what was logged in it."""
        for epoch in range(1, epochs + 1):
            self.epoch, self.step = epoch, epoch * steps_per_epoch
            logged = len(self.records)
            yield epoch
            line = ", ".join(
                f"{record['split']} {describe(metrics_of(record))}"
                for record in self.records[logged:]
            )
            if not self.progress.disable:
                self.progress.update(self.bar, completed=epoch, description=line)
            elif not self.quiet:
                print(f"epoch {epoch:{len(str(epochs))}}/{epochs}: {line}", flush=True)

    def log(self, split: str, metrics: dict[str, float], finite: tuple[str, ...] = ()) -> None:
        """Append one line to ``metrics.jsonl``.

        Raises:
            RunError: the file cannot be written, or a metric named in ``finite`` is not finite.
        """
        record = {"step": self.step, "epoch": self.epoch, "split": split, **metrics}
        self.records.append(record)
        path = self.folder / "metrics.jsonl"
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(to_json(record) + "\n")
        except OSError as error:
            raise RunError(f"{path} cannot be written: {error}") from error
        if not all(math.isfinite(metrics[name]) for name in finite):
            raise self.lost("loss")

    def keep(self, network: nn.Cell, score: float) -> None:
        """Save the weights: as ``last.ckpt``, and as ``best.ckpt`` if none scored higher.

        Raises:
            RunError: the score or a weight is not finite, or the weights cannot be written.
        """
        self.now = score
        if not math.isfinite(score):
            raise self.lost("validation score")
        checkpoint.check_finite(network)
        if score >= self.highest:
            self.highest = score
            checkpoint.save(network, self.best)
        checkpoint.save(network, self.best.with_name("last.ckpt"))

    def lost(self, what: str) -> RunError:
        """Make the error of a run whose numbers are no longer finite."""
        return RunError(
            f"the {what} is no longer finite in epoch {self.epoch}: lower the learning rate, now "
            f"--optimizer.learning_rate {self.config.optimizer.learning_rate}"
        )

    def draw(self, draw: Callable[[str, Path], None], split: str, name: str) -> None:
        """Draw into the folder; a picture that fails is said, and does not end the run."""
        try:
            draw(split, self.folder / name)
        except Exception as error:  # whatever a plotting library may raise
            remark(f"{name} could not be drawn: {error!r}")

    def end(self, metrics: dict[str, float]) -> None:
        """Draw the curves, and say in one line where the run is and what it reached."""
        self.draw(lambda _, path: draw_curves(self.records, path), "", "curves.png")
        line = f"{self.folder}: test {describe(metrics)}"
        if self.now < self.before:
            line += (
                f" (the last weights are worse than before training: validation score "
                f"{self.now:.4g}, {self.before:.4g} then; a lower learning rate may help)"
            )
        print(line)


def remark(line: str) -> None:
    """Question something in one line on standard error."""
    print(f"note: {line}", file=sys.stderr)


def read_kept(folder: Path) -> Any:
    """Read what a run kept of its data; None if it kept nothing.

    Raises:
        InputError: the file is damaged.
    """
    path = folder / "data.json"
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged: {error}") from error


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


def describe(metrics: dict[str, float]) -> str:
    """Format metrics for a line of text."""
    return ", ".join(f"{name} {value:.4g}" for name, value in metrics.items())


def new_folder(parent: Path) -> Path:
    """Make a folder in ``parent``, named after the time and numbered where that is taken."""
    name = datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    for i in range(1, 1000):
        folder = parent / (name if i == 1 else f"{name}_{i}")
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            continue
    raise FileExistsError(f"{parent / name} and 998 more are taken")


def manifest(seed: int) -> dict[str, Any]:
    """Say when, from what and on what a run is made."""
    return {
        "started": datetime.now().astimezone().isoformat(),
        "seed": seed,
        "git_commit": git_commit(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{package: version(package) for package in PACKAGES},
    }


def git_commit() -> str | None:
    """Return the working folder's commit, with ``+changes`` if there are any; None without git."""
    try:
        commit = git("rev-parse", "HEAD").decode("ascii")
        return commit + ("+changes" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def git(*arguments: str) -> bytes:
    """Run git and return what it prints; a file's name need not be text."""
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout.strip()
