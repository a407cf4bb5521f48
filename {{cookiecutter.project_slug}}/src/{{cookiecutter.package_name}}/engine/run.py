"""The run: its folder, its log, its best weights, and what a person sees of it."""

import math
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from mindspore import Tensor
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..config import Config
from . import checkpoint
from .errors import InputError, RunError
from .files import put_aside, release, states
from .folder import note_settings, open_folder
from .launch import Chunk, mean_losses
from .log import Log, describe, metrics_of, remark
from .pictures import draw_curves
from .stop import stop
from .task import Task
from .tracking import Tracking


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
        self.epoch, self.judged = 0, True
        self.launched: list[tuple[int, Tensor]] = []
        """what this epoch's launches returned; it is not waited for"""
        self.highest = -math.inf
        self.before = self.now = math.nan
        self.bad_steps = 0
        """steps without an update, up to the last one, in a row"""
        self.finished = False
        self.saved, self.saving = -math.inf, 0.0
        """when the last state was saved, and how long that took, in seconds"""
        self.failing = False
        """the last state could not be saved, which is said once"""
        self.folder = open_folder(config, task.kept)
        self.logged = Log(self.folder / "metrics.jsonl")
        self.best = self.folder / "checkpoints" / "best.ckpt"
        self.tracking = Tracking(task.track, remark)
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
        self.tracking.end(self.finished)
        release(self.folder)
        stop.end()

    @property
    def records(self) -> list[dict[str, Any]]:
        """What was logged."""
        return self.logged.records

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
        if not self.finished:
            self.tracking.begin(self.config, self.folder, self.records)
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
            if self.config.skip_non_finite:
                self.watch(*launched)
            if self.task.resumes_in_epoch:
                self.pause(60 * self.config.save_every)
        return mean_losses(self.task.losses, self.launched, self.config.skip_non_finite)

    def watch(self, steps: int, losses: Tensor) -> None:
        """Count the steps without an update; it waits for the launch.

        Raises:
            RunError: there were too many in a row.
        """
        bad = np.isnan(losses.asnumpy()[:steps].reshape(steps, -1)).any(axis=1)
        for step, is_bad in enumerate(bad, self.done - steps + 1):
            self.bad_steps = self.bad_steps + 1 if is_bad else 0
            if self.bad_steps >= self.config.max_bad_steps:
                update = (self.epoch - 1) * self.task.steps_per_epoch + step
                raise RunError(
                    f"{self.bad_steps} steps in a row, up to update {update}, step {step} of epoch "
                    f"{self.epoch}, had a loss or a gradient that is not finite: lower the "
                    f"learning rate, or look for what the data or an own layer does"
                )

    def log(self, split: str, metrics: dict[str, float], finite: tuple[str, ...] = ()) -> None:
        """Append one line to ``metrics.jsonl``.

        Raises:
            RunError: the file cannot be written, or a metric named in ``finite`` is not finite.
        """
        step = self.epoch * self.task.steps_per_epoch
        self.logged.append({"step": step, "epoch": self.epoch, "split": split, **metrics})
        self.tracking.log(self.records[-1])
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
            f"--optimizer.learning_rate {self.config.optimizer.learning_rate}, or leave out single "
            f"bad steps with --skip_non_finite"
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
                self.saved = time.monotonic()
                if stop.number:
                    remark(f"{error}; the state before is as it was")
                elif not self.failing:
                    remark(f"{error}; the run goes on, and the state before is as it was")
                self.failing = True
        if stop.number:
            raise KeyboardInterrupt

    def save(self) -> None:
        """Write all that the run needs to go on to the same bits.

        Raises:
            RunError: it cannot be written; the states before are as they were.
        """
        begun = time.monotonic()
        self.logged.sync()
        record = {
            "epoch": self.epoch,
            "done": self.done,
            "judged": self.judged,
            "finished": self.finished,
            "highest": self.highest,
            "before": self.before,
            "now": self.now,
            "bad_steps": self.bad_steps,
            "lines": len(self.records),
        }
        arrays = dict(self.task.host())
        if self.launched and not self.judged:
            losses = [losses.asnumpy()[:steps] for steps, losses in self.launched]
            arrays["losses"] = np.concatenate(losses)
        path = self.folder / "checkpoints" / "state.ckpt"
        cells = self.task.network, *self.task.optimizers
        checkpoint.save_state(
            cells, checkpoint.State(record, arrays), path, self.config.keep_states
        )
        self.saved, self.failing = time.monotonic(), False
        self.saving = self.saved - begun

    def restore(self) -> None:
        """Go on from the newest state that is good, or that was named; from the start without any.

        Raises:
            InputError: the states are of another project, or do not give what was saved.
        """
        state = self.newest_state()
        if state is None:
            self.logged.cut()
            note_settings(self.config, self.folder)
            return
        record, arrays = state
        self.epoch, self.judged = record["epoch"], record["judged"]
        self.finished = record["finished"] and self.epoch >= self.config.epochs
        self.highest, self.before, self.now = record["highest"], record["before"], record["now"]
        self.bad_steps = record["bad_steps"]
        losses = arrays.pop("losses", None)
        if losses is not None:
            self.launched = [(len(losses), Tensor(losses))]
            if self.done % self.task.steps_per_call and self.done < self.task.steps_per_epoch:
                raise InputError(
                    f"the run stopped after {self.done} steps of an epoch, which is no multiple of "
                    f"steps_per_call {self.task.steps_per_call}: resume with one that divides it"
                )
        self.task.restore(arrays)
        longer = record["finished"] and not self.finished
        self.logged.read(record["lines"] - longer)  # a longer run is tested at its own end
        if self.config.resume not in ("newest", "auto"):
            self.save()  # the newest one is ahead of the lines that are left
        self.logged.cut()
        note_settings(self.config, self.folder)  # now that nothing refuses them
        if not self.quiet and not self.finished:
            place = f" after {self.done} steps" if not self.judged else ""
            print(f"resumed in epoch {self.epoch}{place}", flush=True)

    def newest_state(self) -> checkpoint.State | None:
        """Load the newest good state of the folder, or the one that was named; None without any.

        A damaged one is put aside, so that it does not take the place of a good one.

        Raises:
            InputError: all are damaged, or one is of another project.
        """
        folder = self.folder / "checkpoints"
        cells = self.task.network, *self.task.optimizers
        if self.config.resume not in ("newest", "auto"):
            return checkpoint.load_state(cells, Path(str(self.config.resume)))
        there = states(folder)
        for path in there:
            try:
                return checkpoint.load_state(cells, path)
            except checkpoint.DamagedError as error:
                put_aside(path)
                remark(f"{error}; the state before it is taken")
        if there:
            raise InputError(f"there is no state to resume in {folder}: all are damaged")
        if self.config.resume == "newest":
            remark(f"there is no state yet in {folder}: the run begins again")
        return None

    def draw(self, draw: Callable[[str, Path], None], split: str, name: str) -> None:
        """Draw into the folder; a picture that fails is said, and does not end the run."""
        try:
            draw(split, self.folder / name)
        except Exception as error:  # whatever a plotting library may raise
            remark(f"{name} could not be drawn: {error!r}")

    def end(self, metrics: dict[str, float]) -> None:
        """Draw the curves, save, and say where the run is and what it reached."""
        self.draw(lambda _, path: draw_curves(self.records, path), "", "curves.png")
        self.finished = True
        self.save()
        self.summarize(metrics)

    def repeat(self) -> dict[str, float]:
        """Say again what a finished run reached."""
        metrics = metrics_of(self.records[-1])
        self.summarize(metrics)
        return metrics

    def summarize(self, metrics: dict[str, float]) -> None:
        """Print the last line of a run."""
        line = f"{self.folder}: test {describe(metrics)}"
        if self.now < self.before:
            line += (
                f" (the last weights are worse than before training: validation score "
                f"{self.now:.4g}, {self.before:.4g} then; a lower learning rate may help)"
            )
        print(line, flush=True)
