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
from .build import create_loss, create_network
from .config import Config
from .data import load
from .engine.errors import InputError
from .evaluate import create_eval_step, evaluate_split
from .metrics import create_metrics, score
from .samples import draw
from .engine.run import Report, Run
from .train_step import create_optimizers, create_train_step, create_train_steps


def train(config: Config, quiet: bool = False) -> dict[str, float]:
    """Train, keep the weights with the highest score on validation, and return their test metrics.

    Raises:
        InputError: a setting does not fit the data or the machine, or a loss is no longer finite.
    """
    if config.batch_size % config.accumulation_steps:
        raise InputError(
            f"batch_size {config.batch_size} is not a multiple of accumulation_steps "
            f"{config.accumulation_steps}: micro-batches must be equal"
        )
    runtime.start(config.device, config.execution, config.seed)
    dataset = load(config)
    rows = dataset.train.first(config.train_rows).data
    steps = steps_per_epoch(len(rows), config.batch_size)
    steps_per_call = runtime.resolve_steps_per_call(config.steps_per_call, config.device, steps)
    if config.steps_per_call == "auto":  # bounds a launch's updates, of which a step has several
        steps_per_call = max(1, steps_per_call // (config.discriminator_steps + 1))

    network = create_network(config, dataset)
    optimizers = create_optimizers(config, network, config.epochs * steps)
    train_step = create_train_step(network, create_loss(config), optimizers, config)
    train_steps = create_train_steps(train_step, steps_per_call, config.execution)
    eval_step = create_eval_step(network, create_loss(config, reduction="none"), config.execution)
    metrics = create_metrics(config, dataset)

    run = Run(config)
    pictures = run.folder / "samples"
    best, highest = run.checkpoints / "best.ckpt", -math.inf
    with Report(config.epochs, quiet) as report:
        for epoch in range(1, config.epochs + 1):
            network.set_train(True)
            losses = train_epoch(train_steps, batches(rows, config, steps_per_call, epoch))
            network.set_train(False)
            validation, samples = evaluate_split(eval_step, metrics, dataset.validation, config)

            run.log(epoch * steps, epoch, "train", losses)
            run.log(epoch * steps, epoch, "validation", validation)
            report(epoch, train=losses, validation=validation)
            if not all(map(math.isfinite, (*losses.values(), *validation.values()))):
                raise InputError(
                    f"the loss is no longer finite in epoch {epoch}: lower the learning rate, now "
                    f"--optimizer.learning_rate {config.optimizer.learning_rate}"
                )
            if epoch % config.picture_every == 0:
                pictures.mkdir(exist_ok=True)
                draw(samples, dataset.validation.data, pictures / f"epoch_{epoch:04}.png")
            if score(validation) > highest:
                highest = score(validation)
                checkpoint.save(network, best)
            checkpoint.save(network, run.checkpoints / "last.ckpt")

    checkpoint.load(network, best)
    test, samples = evaluate_split(eval_step, metrics, dataset.test, config)
    run.log(config.epochs * steps, config.epochs, "test", test)
    run.draw_curves()
    draw(samples, dataset.test.data, run.folder / "samples.png")
    print(run.summary("test", test))
    return test


def train_epoch(
    train_steps: Callable[..., Tensor], feed: Iterable[tuple[int, list[np.ndarray]]]
) -> dict[str, float]:
    """Train on every stacked chunk in ``feed`` and return the means of the steps' losses."""

    def launch(steps, arrays):
        return steps, train_steps(Tensor(steps, ms.int32), *map(Tensor.from_numpy, arrays))

    losses = list(starmap(launch, feed))  # starmap lets go of a chunk before it asks for the next
    means = np.concatenate([loss.asnumpy()[:steps] for steps, loss in losses]).mean(axis=0)
    return {"loss": float(means[0]), "generator_loss": float(means[1])}
