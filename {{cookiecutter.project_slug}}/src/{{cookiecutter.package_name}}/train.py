"""The loop over a run's updates, whatever is trained."""

from dataclasses import dataclass
from pathlib import Path

from mindspore import nn

from .config import Config
from .engine import checkpoint, runtime
from .engine.finetune import begin_from
from .engine.launch import create_launch
from .engine.run import Run
from .engine.tryout import count_parameters, try_out
from .task import create_task


@dataclass(frozen=True)
class Result:
    """What a training leaves behind."""

    network: nn.Cell
    """with the best weights"""
    folder: Path
    """of the run"""
    metrics: dict[str, float]
    """of the test split"""


def train(config: Config, quiet: bool = False) -> Result:
    """Train, keep the weights with the highest validation score, and test them.

    Raises:
        InputError: a setting does not fit the data or the machine.
        RunError: a loss or a weight is no longer finite, or a file cannot be written.
    """
    runtime.start(config.device, config.execution, config.seed)
    task = create_task(config)
    network = task.network
    begin_from(config, task)
    try_out(network, task.probe)
    sizes = len(task.losses), task.steps_per_call
    launch = create_launch(task.train_step, *sizes, config.execution, len(task.measured))

    with Run(config, task, quiet) as run:
        run.begin(count_parameters(network, config.freeze))
        if run.finished:
            checkpoint.load(network, run.best)
            return Result(network, run.folder, run.repeat())
        for epoch in run.stretches():
            network.set_train(True)
            run.train(launch)
            network.set_train(False)
            if run.ends_epoch:
                run.log("train", run.epoch_losses() | task.observe(), finite=task.losses)

            if run.validates:
                validation = task.evaluate("validation")
                run.log("validation", validation)
                run.keep(task.score(validation))
            drawn = run.ends_epoch and task.picture_every and epoch % task.picture_every == 0
            if task.draw and drawn:
                run.draw(task.draw, "validation", f"samples/epoch_{epoch:04}.png")

        checkpoint.load(network, run.best)
        test = task.evaluate("test")
        run.log("test", test)
        if task.draw and task.picture:
            run.draw(task.draw, "test", task.picture)
        checkpoint.load(network, run.best.with_name("last.ckpt"))  # a longer run goes on from these
        run.end(test)
        checkpoint.load(network, run.best)
    return Result(network, run.folder, test)
