"""The run: its course, its log, its best weights and its states."""

import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from mindspore import Tensor

from ..config import Config
from . import checkpoint, measure
from .errors import InputError, RunError
from .files import put_aside, release, states
from .folder import note_settings, open_folder
from .launch import Launch, Pieces, mean_losses
from .log import Log, describe, metrics_of, remark, within_epoch
from .pace import Pace
from .pictures import draw_curves
from .ranks import from_rank_0, highest, share_parameters, world
from .runtime import count_updates
from .screen import Screen, duration
from .stop import stop
from .task import Task
from .tracking import Tracking

AGREE = 10
"""steps between two agreements of the ranks on whether to end, as each waits for all of them"""


class Run:
    """A run folder, by default ``runs/<time>``, and how far the run is. Rank 0 alone writes.

    The folder holds ``config.yaml``, ``manifest.json``, ``data.json``, ``metrics.jsonl``,
    ``curves.png`` and ``checkpoints/``.

    Raises:
        InputError: the folder holds a run already, or none where one is to be resumed, or cannot be
            made.
    """

    def __init__(self, config: Config, task: Task, quiet: bool = False):
        self.writes = world().rank == 0
        self.config, self.task, self.quiet = config, task, quiet or not self.writes
        self.updates = count_updates(config, task.steps_per_epoch)
        """in the whole run"""
        self.epoch = self.step = self.goal = 0
        """the epoch, the updates so far, and those after which it is looked at how far it is"""
        self.judged = True
        """that was done"""
        self.pieces: Pieces | None = None
        """what is left of the epoch's chunks, once it is needed"""
        auto = config.steps_per_call == "auto" and world().size == 1  # ranks must launch alike
        self.pace = Pace(auto, task.steps_per_call)
        self.launched: list[tuple[int, int, Tensor]] = []
        """what launches returned and nobody has read; it is not waited for"""
        self.losses: list[np.ndarray] = []
        """of the epoch so far, each (steps, losses)"""
        self.unlogged = np.zeros((0, len(task.losses), 1 + len(task.measured)), np.float32)
        """what the updates since the last line returned"""
        self.clock = 0.0
        """seconds of training"""
        self.lap = 0, 0.0
        """updates and clock when the last line was written"""
        self.compiled: tuple[int, float] | None = None
        """updates and time after the first launch of this process"""
        self.highest, self.waited = -math.inf, 0
        """the best score, and how many validations gave no better one since"""
        self.before = self.now = math.nan
        self.bad_steps = 0
        """steps without an update, up to the last one, in a row"""
        self.finished = False
        self.saved, self.saving = -math.inf, 0.0
        """when the last state was saved, and how long that took, in seconds"""
        self.failing = False
        """the last state could not be saved, which is said once"""
        self.folder = from_rank_0(lambda: open_folder(config, task.kept))
        self.logged = Log(self.folder / "metrics.jsonl", self.writes)
        self.best = self.folder / "checkpoints" / "best.ckpt"
        self.tracking = Tracking(task.track if self.writes else None, remark)
        self.screen = Screen(config.epochs, self.updates, self.quiet)

    def __enter__(self) -> "Run":
        stop.begin()
        self.screen.progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.screen.progress.stop()
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
        return self.step - max(self.epoch - 1, 0) * self.task.steps_per_epoch

    @property
    def ends_epoch(self) -> bool:
        """Tell whether the epoch is through, as far as the run goes."""
        return self.done == self.task.steps_per_epoch or self.step == self.updates

    @property
    def validates(self) -> bool:
        """Tell whether a validation is due."""
        every = self.config.validate_every
        due = self.step % every == 0 if every else self.ends_epoch
        return due or self.step == self.updates

    @property
    def ended(self) -> bool:
        """Tell whether all updates are made, or the score has not risen for too long."""
        patience = self.config.patience
        tired = patience is not None and self.waited >= patience
        return self.step == self.updates or (tired and self.resumable)

    @property
    def resumable(self) -> bool:
        """Tell whether a state that is saved here can be gone on from."""
        return self.ends_epoch or self.task.resumes_in_epoch

    def begin(self, network: str) -> None:
        """Say what is trained on what; go on where a resumed run stopped, or judge its start.

        The score of the untrained weights is what the last ones are compared with.
        """
        lengths = f"{self.task.steps_per_epoch} updates an epoch, {self.updates} in all"
        self.screen.say(*self.task.found, network, lengths)
        for line in self.task.remarks:
            remark(line)
        if self.config.resume:
            self.restore()
            self.logged.cut()
            if self.writes:
                note_settings(self.config, self.folder)  # now that nothing refuses them
        share_parameters(checkpoint.parameters_of(self.task.cells).values())
        if not self.finished:
            self.tracking.begin(self.config, self.folder, self.records)
        if not self.epoch:
            self.before = self.task.score(self.task.evaluate("validation"))

    def stretches(self) -> Iterator[int]:
        """Count the epoch of each stretch that is left, which ends with it or with a validation.

        After each show what was logged, and save.
        """
        told = ""
        while not (self.judged and self.ended):
            if self.judged:
                self.judged = False
                if self.step == self.epoch * self.task.steps_per_epoch:
                    self.epoch, self.losses, self.pieces = self.epoch + 1, [], None
                to_validation = to_next(self.config.validate_every, self.step)
                to_end = self.epoch * self.task.steps_per_epoch - self.step
                self.goal = min(self.step + min(to_end, to_validation), self.updates)
            logged = len(self.records)
            yield self.epoch
            self.judged = True
            new = [record for record in self.records[logged:] if not within_epoch(record)]
            place = "" if self.ends_epoch else f", update {self.step}"
            self.screen.judge(self.epoch, self.step, new, place)
            if self.ended and self.step < self.updates:
                self.screen.say(f"the last {self.waited} validations gave no better score: the end")
            elif self.ends_epoch and not told and (told := self.expect()):
                self.screen.say(told)
            if self.resumable:
                self.pause(0)

    def expect(self) -> str:
        """Say how long the rest takes, going by what followed the first launch; "" if nothing."""
        if self.compiled is None or not self.compiled[0] < self.step < self.updates:
            return ""
        update, begun = self.compiled
        left = self.updates - self.step
        seconds = (time.monotonic() - begun) / (self.step - update) * left
        return f"about {duration(seconds)} for the {left} updates that are left"

    def train(self, launch: Launch) -> None:
        """Launch until the stretch is through, and log and save what is due on the way."""
        if self.pieces is None and self.step < self.goal:
            self.pieces = Pieces(self.task.feed(self.epoch, self.done))
        while self.pieces and self.step < self.goal:
            begun = time.monotonic()
            to_save = to_next(self.config.save_every_updates, self.step)
            most = min(self.pace.steps, self.goal - self.step, to_save)
            chunk, first = self.pieces.take(most)
            launching, steps = time.monotonic(), chunk.steps - first
            self.launched.append((first, *launch(chunk, first)))
            self.pace.took(steps, time.monotonic() - launching)
            self.step += steps
            if self.task.scaler.skip:
                self.read()
                self.watch(self.losses[-1])
            lines = self.lines_due()
            if lines:
                self.read()
            self.clock += time.monotonic() - begun
            if lines:
                self.log_updates()
            self.compiled = self.compiled or (self.step, time.monotonic())
            self.screen.move(self.epoch, self.step, self.records[-1] if lines else None)
            due = to_save == steps
            asks = world().size == 1 or self.step % AGREE < steps
            if self.task.resumes_in_epoch and (due or asks):
                self.pause(0 if due else 60 * self.config.save_every)

    def read(self) -> None:
        """Take what the launches returned; it waits for them."""
        for first, last, found in self.launched:
            rows = found.asnumpy()[first:last]
            rows = rows.reshape(len(rows), *self.unlogged.shape[1:])
            self.losses.append(rows[..., 0])
            if self.config.log_every:
                self.unlogged = np.concatenate([self.unlogged, rows])
        self.launched = []

    def lines_due(self) -> bool:
        """Tell whether ``log_every`` updates are through since the last line."""
        every = self.config.log_every
        return every > 0 and self.step // every > self.lap[0] // every

    def log_updates(self) -> None:
        """Log the means over every ``log_every`` updates that are through."""
        every, skip = self.config.log_every, self.task.scaler.skip
        update, clock = self.lap
        speed = self.config.batch_size * (self.step - update) / max(self.clock - clock, 1e-9)
        times = {"rows_per_second": round(speed, 1), "seconds": round(self.clock, 3)}
        while len(self.unlogged) >= every:
            rows, self.unlogged = np.split(self.unlogged, [every])
            found = measure.means(self.task.losses, self.task.measured, rows, skip)
            self.log("train", found | times, self.task.losses, self.step - len(self.unlogged))
        self.lap = self.step, self.clock

    def epoch_losses(self) -> dict[str, float]:
        """Average the losses of the epoch, and say what their scale is."""
        self.read()
        losses = np.concatenate(self.losses)
        means = mean_losses(self.task.losses, losses, self.task.scaler.skip)
        return means | self.task.scaler.observe()

    def watch(self, losses: np.ndarray) -> None:
        """Count the steps without an update among the last ones, whose losses are given.

        Raises:
            RunError: there were too many in a row.
        """
        bad = np.isnan(losses).any(axis=1)
        for update, is_bad in enumerate(bad, self.step - len(bad) + 1):
            self.bad_steps = self.bad_steps + 1 if is_bad else 0
            if self.bad_steps >= self.config.max_bad_steps:
                step = update - (self.epoch - 1) * self.task.steps_per_epoch
                raise RunError(
                    f"{self.bad_steps} steps in a row, up to update {update}, step {step} of epoch "
                    f"{self.epoch}, had a loss or a gradient that is not finite: lower the "
                    f"learning rate, or see what it was with replay --checkpoint {self.folder}"
                )

    def log(
        self,
        split: str,
        metrics: dict[str, float],
        finite: tuple[str, ...] = (),
        step: int | None = None,
    ) -> None:
        """Append one line to ``metrics.jsonl``, by default of the step where the run is.

        Raises:
            RunError: the file cannot be written, or a metric named in ``finite`` is not finite,
                unless steps are skipped by which it may be: their number has a bound of its own.
        """
        step = self.step if step is None else step
        self.logged.append({"step": step, "epoch": self.epoch, "split": split, **metrics})
        self.tracking.log(self.records[-1])
        if not (self.task.scaler.skip or all(math.isfinite(metrics[name]) for name in finite)):
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
        self.waited = 0 if score > self.highest else self.waited + 1
        if score >= self.highest:
            self.highest = score
            checkpoint.save(self.task.network, self.best)
        checkpoint.save(self.task.network, self.best.with_name("last.ckpt"))

    def lost(self, what: str) -> RunError:
        """Make the error of a run whose numbers are no longer finite."""
        return RunError(
            f"the {what} is no longer finite in epoch {self.epoch}: lower the learning rate, now "
            f"--optimizer.learning_rate {self.config.optimizer.learning_rate}, leave out single "
            f"bad steps with --skip_non_finite, or see what it was with replay --checkpoint "
            f"{self.folder}"
        )

    def pause(self, seconds: float) -> None:
        """Save the state if the last one is so old, and end the process if a signal asked for it.

        Saving takes a twentieth of the time at most. A signal to one rank ends all.
        """
        asked = highest(stop.number)
        age = time.monotonic() - self.saved
        if asked or age > max(seconds, 20 * self.saving):
            try:
                self.save()
            except RunError as error:
                self.saved = time.monotonic()
                if asked:
                    remark(f"{error}; the state before is as it was")
                elif not self.failing:
                    remark(f"{error}; the run goes on, and the state before is as it was")
                self.failing = True
        if asked:
            stop.number = highest(asked)  # no rank ends before rank 0 has saved
            raise KeyboardInterrupt

    def save(self) -> None:
        """Write all that the run needs to go on to the same bits.

        Raises:
            RunError: it cannot be written; the states before are as they were.
        """
        if not self.writes:
            return
        begun = time.monotonic()
        self.read()
        self.logged.sync()
        record = {
            "epoch": self.epoch,
            "step": self.step,
            "goal": self.goal,
            "judged": self.judged,
            "finished": self.finished,
            "highest": self.highest,
            "waited": self.waited,
            "before": self.before,
            "now": self.now,
            "bad_steps": self.bad_steps,
            "lines": len(self.records),
        }
        arrays = dict(self.task.host())
        if self.losses:
            arrays["losses"] = np.concatenate(self.losses)
        if len(self.unlogged):
            arrays["unlogged"] = self.unlogged
        path = self.folder / "checkpoints" / "state.ckpt"
        state = checkpoint.State(record, arrays)
        checkpoint.save_state(self.task.cells, state, path, self.config.keep_states)
        self.saved, self.failing = time.monotonic(), False
        self.saving = self.saved - begun

    def restore(self) -> None:
        """Go on from the newest state that is good, or that was named; from the start without any.

        Raises:
            InputError: the states are of another project, or do not give what was saved.
        """
        state = from_rank_0(self.newest_state)
        if state is None:
            return
        record, arrays = state
        self.epoch, self.step, self.goal = record["epoch"], record["step"], record["goal"]
        self.judged = record["judged"]
        self.highest, self.waited = record["highest"], record["waited"]
        self.before, self.now = record["before"], record["now"]
        self.bad_steps = record["bad_steps"]
        self.finished = record["finished"] and self.ended
        self.losses = [arrays.pop("losses")] if "losses" in arrays else []
        self.unlogged = arrays.pop("unlogged", self.unlogged)
        self.task.restore(arrays)
        longer = record["finished"] and not self.finished
        self.logged.read(record["lines"] - longer)  # a longer run is tested at its own end
        self.clock = max([record.get("seconds", 0.0) for record in self.records], default=0.0)
        self.lap = self.step, self.clock
        if self.config.resume not in ("newest", "auto"):
            self.save()  # the newest one is ahead of the lines that are left
        if not self.finished:
            place = "" if self.ends_epoch else f" after {self.done} steps"
            self.screen.say(f"resumed in epoch {self.epoch}{place}")

    def newest_state(self) -> checkpoint.State | None:
        """Load the newest good state of the folder, or the one that was named; None without any.

        A damaged one is put aside, so that it does not take the place of a good one.

        Raises:
            InputError: all are damaged, or one is of another project.
        """
        folder = self.folder / "checkpoints"
        if self.config.resume not in ("newest", "auto"):
            return checkpoint.load_state(self.task.cells, Path(str(self.config.resume)))
        there = states(folder)
        for path in there:
            try:
                return checkpoint.load_state(self.task.cells, path)
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
        path = self.folder / name if self.writes else Path(os.devnull)
        try:
            draw(split, path)  # in all ranks, as all make what is drawn
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
        if self.writes:
            print(line, flush=True)


def to_next(every: int | None, step: int) -> int:
    """Count the steps to the next multiple of ``every``; without end if there is none."""
    return every - step % every if every else sys.maxsize
