"""A second, eager look at the steps after a saved state: what was first not finite, and where."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from mindspore import Tensor, nn

from .config import Config
from .engine import checkpoint, runtime
from .engine.files import states
from .engine.finetune import begin_from
from .engine.log import remark
from .engine.task import Task
from .task import create_task


def replay(config: Config, run: Path, state: Path | None = None) -> str:
    """Take the steps of a run again, eagerly, up to the first with a number that is not finite.

    They begin at the run's newest good state, or at its start where it has none, and end one epoch
    after its last record. Nothing is written.

    Args:
        config: settings of the run.
        run: its folder.
        state: where to begin instead, a file.

    Returns:
        A line that says what was found: the update, the layer or else the gradient or the weight,
        and the rows of the batch, as far as they can be told.

    Raises:
        InputError: the state cannot be used.
    """
    config = replace(config, execution="pynative", log_every=0, skip_non_finite=False, resume=None)
    runtime.start(config.device, config.execution, config.seed)
    task = create_task(config)
    begin_from(config, task)
    begin = load(task, [state] if state else states(run / "checkpoints"))
    last = max(begin, last_record(run / "metrics.jsonl")) + task.steps_per_epoch
    seen = watch(task)
    task.network.set_train(True)
    for update, batch in zip(range(begin + 1, last + 1), batches(task, begin)):
        losses = task.train_step(*batch).asnumpy()
        weights = [p for p in task.network.get_parameters() if not is_finite(p)]
        if not np.isfinite(losses).all() or seen or weights:
            seen += ["the loss"] if not np.isfinite(losses).all() else []
            seen += [f"the updated {p.name}" for p in weights]
            epoch, step = divmod(update - 1, task.steps_per_epoch)
            place = f"update {update}, step {step + 1} of epoch {epoch + 1}"
            return f"{place}: {seen[0]} was the first that is not finite"
    return f"updates {begin + 1} to {last}: all is finite"


def load(task: Task, paths: list[Path]) -> int:
    """Load the first state that is good; return its update, 0 where there is none."""
    for path in paths:
        try:
            record, arrays = checkpoint.load_state(task.cells, path)
        except checkpoint.DamagedError as error:
            remark(f"{error}; the state before it is taken")
            continue
        own = {name: x for name, x in arrays.items() if name not in ("losses", "unlogged")}
        task.restore(own)
        return int(record["step"])
    return 0


def last_record(path: Path) -> int:
    """Return the update of the last line of a log; 0 where there is none."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return max([int(json.loads(line)["step"]) for line in lines], default=0)


def batches(task: Task, update: int) -> Iterator[list[Tensor]]:
    """Yield the batch of every update after ``update``."""
    epoch, done = divmod(update, task.steps_per_epoch)
    for number in count(epoch + 1):
        for chunk in task.feed(number, done):
            for step in range(chunk.steps):
                yield [Tensor(array[step]) for array in chunk.arrays]
        done = 0


def watch(task: Task) -> list[str]:
    """Return a list that fills with what is not finite, in the order in which it is computed.

    It has the layers that make such a number of finite ones, and the gradients that reach an
    optimizer.
    """
    seen: list[str] = []

    def layer(name: str, cell: nn.Cell) -> None:
        def look(_: nn.Cell, inputs: tuple[Any, ...], output: Any) -> None:
            if all(map(is_finite, inputs)) and not is_finite(output):
                weights = [p.name for p in cell.get_parameters(expand=False) if not is_finite(p)]
                what = f"layer {name!r}" if name else "the network"
                because = f", whose {weights[0]} is not finite," if weights else ""
                kind = type(cell).__name__
                seen.append(f"the output of {what} ({kind}){because}{rows_of(output)}")

        cell.register_forward_hook(look)

    for name, cell in task.network.cells_and_names():
        layer(name, cell)
    for optimizer in task.optimizers:

        def look(cell: nn.Optimizer, inputs: tuple[Any, ...]) -> None:
            for parameter, gradient in zip(reversed(cell.parameters), reversed(inputs[0])):
                if not is_finite(gradient):
                    seen.append(f"the gradient of {parameter.name}")

        optimizer.register_forward_pre_hook(look)
    return seen


def is_finite(array: Any) -> bool:
    """Tell whether all numbers are finite, of a tensor or of tensors; anything else is."""
    if isinstance(array, (tuple, list)):
        return all(map(is_finite, array))
    return not isinstance(array, Tensor) or bool(np.isfinite(array.asnumpy()).all())


def rows_of(output: Any) -> str:
    """Say in which rows of the batch an output is not finite, if not in all."""
    if not isinstance(output, Tensor) or output.ndim < 2:
        return ""
    values = output.asnumpy()
    bad = ~np.isfinite(values.reshape(len(values), -1)).all(axis=1)
    rows = np.flatnonzero(bad)
    if bad.all():
        return " in all rows"
    return f" in row{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:5]))} of the batch" + (
        f" and {len(rows) - 5} more" if len(rows) > 5 else ""
    )
