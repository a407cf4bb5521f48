"""The loop: act, learn from it, act better."""

import math
from collections.abc import Callable, Iterable
from itertools import starmap

import mindspore as ms
import numpy as np
from mindspore import Tensor

from .engine import checkpoint, runtime
from .batches import minibatches, updates_per_rollout
from .build import create_loss, create_network, create_optimizer
from .config import Config
from .data import load
from .engine.errors import InputError
from .evaluate import evaluate_policy, summarize
from .rollout import Collector, create_act, seed_of
from .engine.run import Report, Run
from .train_step import create_train_step, create_train_steps


def train(config: Config, quiet: bool = False) -> dict[str, float]:
    """Train, keep the weights with the highest validation return, and return their test metrics.

    Raises:
        InputError: a setting does not fit the environment or the machine, or the loss is no longer
            finite.
    """
    if config.batch_size % config.accumulation_steps:
        raise InputError(
            f"batch_size {config.batch_size} is not a multiple of accumulation_steps "
            f"{config.accumulation_steps}: micro-batches must be equal"
        )
    copies = config.dataset.environments
    rows = copies * config.dataset.rollout_steps
    updates = updates_per_rollout(rows, config.batch_size, config.passes)
    steps_per_call = runtime.resolve_steps_per_call(config.steps_per_call, config.device, updates)
    runtime.start(config.device, config.execution, config.seed)
    dataset = load(config)

    network = create_network(config, dataset)
    optimizer = create_optimizer(config, network, config.epochs * updates)
    loss_fn = create_loss(config)
    train_step = create_train_step(network, dataset.actions, loss_fn, optimizer, config)
    train_steps = create_train_steps(train_step, steps_per_call, config.execution)
    act = create_act(network, dataset.actions, config.execution)
    collector = Collector(dataset, act, config)
    held_out = dataset.make(copies)

    def evaluate(split: bytes, episodes: int) -> dict[str, float]:
        seed = seed_of(config.seed, split)
        return evaluate_policy(act, dataset.actions, held_out, episodes, seed)

    run = Run(config)
    best, highest = run.checkpoints / "best.ckpt", -math.inf
    with Report(config.epochs, quiet) as report:
        for epoch in range(1, config.epochs + 1):
            rollout = collector.collect(epoch)
            feed = minibatches(
                rollout, config.batch_size, updates, steps_per_call, config.seed, epoch
            )
            metrics = {"loss": train_epoch(train_steps, feed)}
            if collector.returns:
                metrics |= summarize(np.array(collector.returns))
            run.log(epoch * updates, epoch, "train", metrics)
            if not math.isfinite(metrics["loss"]):
                raise InputError(
                    f"the loss is no longer finite in epoch {epoch}: lower the learning rate, now "
                    f"--optimizer.learning_rate {config.optimizer.learning_rate}"
                )
            if epoch % config.validation_every and epoch < config.epochs:
                report(epoch, train=metrics)
                continue
            validation = evaluate(b"validation", copies)
            run.log(epoch * updates, epoch, "validation", validation)
            report(epoch, train=metrics, validation=validation)
            if validation["return_mean"] >= highest:
                highest = validation["return_mean"]
                checkpoint.save(network, best)
            checkpoint.save(network, run.checkpoints / "last.ckpt")

    checkpoint.load(network, best)
    test = evaluate(b"test", config.evaluation_episodes)
    run.log(config.epochs * updates, config.epochs, "test", test)
    run.draw_curves()
    print(run.summary("test", test))
    return test


def train_epoch(
    train_steps: Callable[..., Tensor], feed: Iterable[tuple[int, list[np.ndarray]]]
) -> float:
    """Train on every stacked chunk in ``feed`` and return the mean of the steps' losses."""

    def launch(steps, arrays):
        return steps, train_steps(Tensor(steps, ms.int32), *map(Tensor.from_numpy, arrays))

    losses = list(starmap(launch, feed))  # starmap lets go of a chunk before it asks for the next
    return float(np.concatenate([loss.asnumpy()[:steps] for steps, loss in losses]).mean())
