"""The run: its folder, its log, its best weights, and what a person sees of it."""

import json
import math
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from mindspore import Tensor
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..config import Config
from . import checkpoint
from .errors import InputError, RunError
from .launch import Chunk, mean_losses
from .pictures import draw_curves
from .stop import stop
from .task import Task

PACKAGES = ("mindspore", "numpy")


class Run:
    """A run folder, by default ``runs/<time>``, and how far the run is.

    The folder holds ``config.yaml``, ``manifest.json``, ``data.json``, ``metrics.jsonl``,
    ``curves.png`` and ``checkpoints/``. On a terminal a bar shows the progress, elsewhere a line an
    epoch; nothing does if ``quiet``.

    Raises:
        InputError: the folder holds a run already, or none where one is to be resumed, or cannot be
            made.
    """

    def __init__(self, config: Config, task: Task, quiet: bool = False):
        self.config, self.task, self.quiet = config, task, quiet
        self.records: list[dict[str, Any]] = []
        self.epoch, self.judged = 0, True
        self.launched: list[tuple[int, Tensor]] = []
        """what this epoch's launches returned; it is not waited for"""
        self.highest = -math.inf
        self.before = self.now = math.nan
        self.finished = False
        self.saved, self.saving = -math.inf, 0.0
        """when the last state was saved, and how long that took, in seconds"""
        self.folder = open_folder(config, task)
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
        stop.begin()
        self.progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.progress.stop()
        stop.end()

    @property
    def done(self) -> int:
        """Steps that were taken in this epoch."""
        return sum(steps for steps, _ in self.launched)

    def begin(self, network: str) -> None:
        """Say what is trained on what; go on where a resumed run stopped, or judge its start.

        The score of the untrained weights is what the last ones are compared with.
        """
        if not self.quiet:
            lines = [*self.task.found, network]
            self.progress.console.print(*lines, sep="\n", markup=False, highlight=False)
        for line in self.task.remarks:
            remark(line)
        if self.config.resume:
            self.restore()
        if not self.epoch:
            self.before = self.task.score(self.task.evaluate("validation"))

    def epochs(self) -> Iterator[int]:
        """Count the epochs that are left; at the end of each show what was logged, and save."""
        last = self.config.epochs
        for epoch in range(self.epoch + self.judged, last + 1):
            if self.judged:
                self.epoch, self.judged, self.launched = epoch, False, []
            logged = len(self.records)
            yield epoch
            self.judged = True
            splits = [
                f"{record['split']} {describe(metrics_of(record))}"
                for record in self.records[logged:]
            ]
            if not self.progress.disable:
                self.progress.update(self.bar, completed=epoch, description=", ".join(splits))
            elif not self.quiet:
                print(f"epoch {epoch:{len(str(last))}}/{last}: {', '.join(splits)}", flush=True)
            self.pause(0)

    def train(self, launch: Callable[[Chunk], tuple[int, Tensor]]) -> dict[str, float]:
        """Launch every chunk that the epoch has left; return the means of its losses."""
        done = -(-self.done // self.task.steps_per_call)
        for launched in map(launch, islice(self.task.feed(self.epoch), done, None)):
            self.launched.append(launched)
            if self.task.resumes_in_epoch:
                self.pause(60 * self.config.save_every)
        return mean_losses(self.task.losses, self.launched)

    def log(self, split: str, metrics: dict[str, float], finite: tuple[str, ...] = ()) -> None:
        """Append one line to ``metrics.jsonl``.

        Raises:
            RunError: the file cannot be written, or a metric named in ``finite`` is not finite.
        """
        step = self.epoch * self.task.steps_per_epoch
        record = {"step": step, "epoch": self.epoch, "split": split, **metrics}
        self.records.append(record)
        path = self.folder / "metrics.jsonl"
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(to_json(record) + "\n")
        except OSError as error:
            raise RunError(f"{path} cannot be written: {error}") from error
        if not all(math.isfinite(metrics[name]) for name in finite):
            raise self.lost("loss")

    def keep(self, score: float) -> None:
        """Save the weights: as ``last.ckpt``, and as ``best.ckpt`` if none scored higher.

        Raises:
            RunError: the score or a weight is not finite, or the weights cannot be written.
        """
        self.now = score
        if not math.isfinite(score):
            raise self.lost("validation score")
        checkpoint.check_finite(self.task.network)
        if score >= self.highest:
            self.highest = score
            checkpoint.save(self.task.network, self.best)
        checkpoint.save(self.task.network, self.best.with_name("last.ckpt"))

    def lost(self, what: str) -> RunError:
        """Make the error of a run whose numbers are no longer finite."""
        return RunError(
            f"the {what} is no longer finite in epoch {self.epoch}: lower the learning rate, now "
            f"--optimizer.learning_rate {self.config.optimizer.learning_rate}"
        )

    def pause(self, seconds: float) -> None:
        """Save the state if the last one is so old, and end the process if a signal asked for it.

        Saving takes a twentieth of the time at most.
        """
        age = time.monotonic() - self.saved
        if stop.number or age > max(seconds, 20 * self.saving):
            try:
                self.save()
            except RunError as error:
                if stop.number:
                    raise
                remark(f"{error}; the run goes on, and the states before are as they were")
        if stop.number:
            raise KeyboardInterrupt

    def save(self) -> None:
        """Write all that the run needs to go on to the same bits.

        Raises:
            RunError: it cannot be written; the states before are as they were.
        """
        begun = time.monotonic()
        record = {
            "epoch": self.epoch,
            "done": self.done,
            "judged": self.judged,
            "finished": self.finished,
            "highest": self.highest,
            "before": self.before,
            "now": self.now,
            "lines": len(self.records),
        }
        arrays = dict(self.task.host())
        if not self.judged:
            losses = [losses.asnumpy()[:steps] for steps, losses in self.launched]
            arrays["losses"] = np.concatenate(losses)
        path = self.folder / "checkpoints" / "state.ckpt"
        cells = self.task.network, *self.task.optimizers
        checkpoint.save_state(
            cells, checkpoint.State(record, arrays), path, self.config.keep_states
        )
        self.saved = time.monotonic()
        self.saving = self.saved - begun

    def restore(self) -> None:
        """Go on from the newest state that is good; from the start if there is none.

        Raises:
            InputError: the states are of another project, or do not give what was saved.
        """
        state = self.newest_state()
        if state is None:
            (self.folder / "metrics.jsonl").unlink(missing_ok=True)
            return
        record, arrays = state
        self.epoch, self.judged, self.finished = (
            record["epoch"],
            record["judged"],
            record["finished"],
        )
        self.highest, self.before, self.now = record["highest"], record["before"], record["now"]
        if not self.judged:
            losses = arrays.pop("losses")
            self.launched = [(len(losses), Tensor(losses))]
            if self.done % self.task.steps_per_call and self.done < self.task.steps_per_epoch:
                raise InputError(
                    f"the run stopped after {self.done} steps of an epoch, which is no multiple of "
                    f"steps_per_call {self.task.steps_per_call}: resume with one that divides it"
                )
        self.task.restore(arrays)
        path = self.folder / "metrics.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        lines = lines[: record["lines"]]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        self.records = [json.loads(line) for line in lines]
        if not self.quiet:
            place = f" after {self.done} steps" if not self.judged else ""
            print(f"resumed in epoch {self.epoch}{place}", flush=True)

    def newest_state(self) -> checkpoint.State | None:
        """Load the newest good state of the folder, or the one that was named.

        Raises:
            InputError: there is none of this project.
        """
        newest = self.folder / "checkpoints" / "state.ckpt"
        paths = [checkpoint.numbered(newest, i) for i in range(self.config.keep_states + 1)]
        if self.config.resume not in ("newest", "auto"):
            paths = [Path(str(self.config.resume))]
        cells = self.task.network, *self.task.optimizers
        for path in (path for path in paths if path.exists()):
            try:
                return checkpoint.load_state(cells, path)
            except InputError as error:
                if "damaged" not in str(error) or len(paths) == 1:
                    raise
                remark(f"{error}; the state before it is taken")
        if self.config.resume == "auto":
            return None
        raise InputError(f"there is no state to resume in {newest.parent}")

    def draw(self, draw: Callable[[str, Path], None], split: str, name: str) -> None:
        """Draw into the folder; a picture that fails is said, and does not end the run."""
        try:
            draw(split, self.folder / name)
        except Exception as error:  # whatever a plotting library may raise
            remark(f"{name} could not be drawn: {error!r}")

    def end(self, metrics: dict[str, float]) -> None:
        """Draw the curves, save, and say in one line where the run is and what it reached."""
        self.draw(lambda _, path: draw_curves(self.records, path), "", "curves.png")
        self.finished = True
        self.save()
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


def open_folder(config: Config, task: Task) -> Path:
    """Make the run's folder, or open that of the run that is resumed, and note what is run.

    Raises:
        InputError: the folder holds another run, cannot be made, or the data changed.
    """
    try:
        folder = Path(config.run_dir) if config.run_dir else new_folder(Path("runs"))
        if (folder / "metrics.jsonl").exists() and not config.resume:
            raise InputError(f"run_dir {config.run_dir!r} holds a run: name another folder")
        (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        kept = read_kept(folder)
        if kept is not None and kept != json.loads(json.dumps(task.kept)):
            raise InputError(f"the data are not those that the run in {folder} began with")
        write(folder / "data.json", json.dumps(task.kept, ensure_ascii=False))
        settings = asdict(config) | {"resume": None}
        write(folder / "config.yaml", yaml.safe_dump(settings, sort_keys=False, allow_unicode=True))
        if not (folder / "manifest.json").exists():
            write(folder / "manifest.json", json.dumps(manifest(config.seed), indent=2))
    except OSError as error:
        raise InputError(f"the run's folder cannot be made: {error}") from error
    return folder


def write(path: Path, text: str) -> None:
    """Write a text file that ends with a line's end."""
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


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
