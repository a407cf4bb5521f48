"""The loop over the dataset."""

import math
from collections.abc import Callable, Iterable
from itertools import starmap

import mindspore as ms
import numpy as np
from mindspore import Tensor

from .engine import checkpoint, runtime
from .batches import batches
from .engine.rows import steps_per_epoch
from .build import create_loss, create_network, create_optimizer
from .config import Config
from .data import load
from .engine.errors import InputError
from .evaluate import create_eval_step, evaluate_split
from .engine.run import Report, Run
from .train_step import create_train_step, create_train_steps


def train(config: Config, quiet: bool = False) -> dict[str, float]:
    """Train, keep the weights with the lowest validation loss, and return their test metrics.

    Raises:
        InputError: a setting does not fit the data or the machine, or the loss is no longer finite.
    """
    if config.batch_size % config.accumulation_steps:
        raise InputError(
            f"batch_size {config.batch_size} is not a multiple of accumulation_steps "
            f"{config.accumulation_steps}: micro-batches must be equal"
        )
    runtime.start(config.device, config.execution, config.seed)
    dataset = load(config)
    rows = dataset.train.first(config.train_rows)
    steps = steps_per_epoch(len(rows.data), config.batch_size)
    steps_per_call = runtime.resolve_steps_per_call(config.steps_per_call, config.device, steps)

    network = create_network(config, dataset)
    optimizer = create_optimizer(config, network, config.epochs * steps)
    train_step = create_train_step(network, create_loss(config), optimizer, config)
    train_steps = create_train_steps(train_step, steps_per_call, config.execution)
    eval_step = create_eval_step(network, create_loss(config, reduction="none"), config.execution)

    run = Run(config)
    best, lowest = run.checkpoints / "best.ckpt", math.inf
    with Report(config.epochs, quiet) as report:
        for epoch in range(1, config.epochs + 1):
            network.set_train(True)
            feed = batches(rows, config.batch_size, steps_per_call, config.seed, epoch)
            loss = train_epoch(train_steps, feed)
            network.set_train(False)
            validation = evaluate_split(eval_step, dataset, "validation")

            run.log(epoch * steps, epoch, "train", {"loss": loss})
            run.log(epoch * steps, epoch, "validation", validation)
            report(epoch, train={"loss": loss}, validation=validation)
            if not math.isfinite(loss) or not math.isfinite(validation["loss"]):
                raise InputError(
                    f"the loss is no longer finite in epoch {epoch}: lower the learning rate, now "
                    f"--optimizer.learning_rate {config.optimizer.learning_rate}"
                )
            if validation["loss"] < lowest:
                lowest = validation["loss"]
                checkpoint.save(network, best)
            checkpoint.save(network, run.checkpoints / "last.ckpt")

    checkpoint.load(network, best)
    test = evaluate_split(eval_step, dataset, "test")
    run.log(config.epochs * steps, config.epochs, "test", test)
    run.draw_curves()
    print(run.summary("test", test))
    return test


def train_epoch(
    train_steps: Callable[[Tensor, Tensor, Tensor], Tensor],
    feed: Iterable[tuple[int, np.ndarray, np.ndarray]],
) -> float:
    """Train on every stacked chunk in ``feed`` and return the mean of the steps' losses."""

    def launch(steps, data, label):
        arrays = Tensor.from_numpy(data), Tensor.from_numpy(label)
        return steps, train_steps(Tensor(steps, ms.int32), *arrays)

    losses = list(starmap(launch, feed))  # starmap lets go of a chunk before it asks for the next
    return float(np.concatenate([loss.asnumpy()[:steps] for steps, loss in losses]).mean())
