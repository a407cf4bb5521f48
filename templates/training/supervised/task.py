"""Supervised training as a record: its parts, its batches, and how weights are judged."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from mindspore import Tensor, float32, nn

from .build import create_loss, create_network, create_optimizer
from .config import Config
from .data import load
from .engine.kept import Kept
from .engine.launch import Chunk, evaluate_rows, in_chunks
from .engine.measure import measures
from .engine.precision import create_scaler, lower
from .engine.ranks import world
from .engine.rows import Dataset, Split, steps_per_epoch
from .engine.runtime import check_micro_batches, compiled, count_updates, resolve_steps_per_call
from .engine.streams import reader
from .engine.task import Task
from .metrics import ROWS, create_measure, draw, observe, score
{{ "from .tracker import create_tracker\n" if cookiecutter.tracker != "none" }}from .train_step import create_train_step


def create_task(config: Config, kept: str | None = None) -> Task:
    """Make the network and all that trains and judges it.

    Args:
        config: settings of the run.
        kept: what the run that is evaluated kept of its data, as JSON; None for a new run.

    Raises:
        InputError: a setting does not fit the data.
    """
    check_micro_batches(config.batch_size, config.accumulation_steps)
    dataset = load(config, Kept.from_json(kept) if kept else None)
    rows = dataset.train.first(config.train_rows)
    steps = steps_per_epoch(len(rows.data), config.batch_size) if kept is None else 1
    size = sum(x[:1].nbytes for x in rows) * config.batch_size
    steps_per_call = resolve_steps_per_call(
        config.steps_per_call, config.device, steps, bytes_per_step=size
    )
    network = lower(create_network(config, dataset), config.precision)
    loss_fn = create_loss(config, dataset)
    optimizer = create_optimizer(config, network, count_updates(config, steps))
    scaler = create_scaler(config.precision, config.skip_non_finite)
    evaluate, picture = create_evaluate(network, dataset, config)

    def feed(epoch: int, first: int) -> Iterator[Chunk]:
        return batches(rows, config.batch_size, steps_per_call, config.seed, epoch, first)

    def probe() -> Tensor:
        data, label = map(Tensor, rows.read(np.arange(2) % len(rows.data)))
        return loss_fn(network(data), label)

    return Task(
        network=network,
        optimizers=(optimizer,),
        scaler=scaler,
        train_step=create_train_step(network, loss_fn, optimizer, scaler, config),
        losses=("loss",),
        measured=measures(config.log_every, policy={{ cookiecutter.gradient_policy != "none" }}),
        steps_per_call=steps_per_call,
        steps_per_epoch=steps,
        feed=feed,
        evaluate=evaluate,
        score=score,
        probe=probe,
        kept=dataset.kept.to_json() if dataset.kept else None,
        found=dataset.found,
        remarks=list(dataset.remarks),
        draw=picture,
        picture="test.png",{{ "\n        track=create_tracker," if cookiecutter.tracker != "none" }}
    )


def create_exported(config: Config, kept: str | None) -> tuple[nn.Cell, nn.Cell, np.ndarray]:
    """Make the network, say what of it leaves the project, and give a row that this part takes.

    Args:
        config: settings of the run.
        kept: what the run kept of its data, as JSON.
    """
    form = Kept.from_json(kept)
    network = create_network(config, form)
    row = np.linspace(*form.limits, math.prod(form.shape)).astype(form.dtype)
    return network, network, row.reshape(form.shape)


def batches(
    rows: Split, batch_size: int, steps_per_call: int, seed: int, epoch: int, first: int = 0
) -> Iterator[Chunk]:
    """Yield ``[data, label]`` of an epoch from step ``first`` on, as (steps_per_call, batch, ...).

    A rank gets its share of every batch. The order depends on ``(seed, epoch)`` alone, so any epoch
    can be replayed.
    """
    total = steps_per_epoch(len(rows.data), batch_size)
    order = np.random.default_rng((seed, epoch)).permutation(len(rows.data))
    order = order[: total * batch_size].reshape(total, batch_size)[:, world().mine(batch_size)]
    read = [reader(array, order, first, (seed, epoch)) for array in rows]
    for steps, chunk in in_chunks(order[first:], steps_per_call):
        yield Chunk(steps, [array(steps, chunk) for array in read])


def create_evaluate(
    network: nn.Cell, dataset: Dataset, config: Config
) -> tuple[Callable[[str], dict[str, float]], Callable[[str, Path], None]]:
    """Make ``evaluate(split) -> metrics`` and ``picture(split, path)``, which draws the same rows.

    The metrics are the mean loss, and those of ``metrics.py``, over all rows of the split.
    """
    loss_fn = create_loss(config, dataset, reduction="none")
    measure = create_measure(dataset)

    def eval_step(data, label):
        logits = network(data).astype(float32)
        return observe(logits, label), loss_fn(logits, label)

    step = compiled(eval_step, config.execution)

    def look(split: Split) -> list[np.ndarray]:
        rows = len(split.data)
        return evaluate_rows(step, lambda i: split.read(i % rows), rows, ROWS)

    def evaluate(name: str) -> dict[str, float]:
        split = dataset.judged(name, config.validation_rows)
        observed, losses = look(split)
        return {"loss": float(losses.mean()), **measure(observed, split.label)}

    def picture(name: str, path: Path) -> None:
        split: Split = getattr(dataset, name)
        draw(look(split)[0], split.label, dataset, path)

    return evaluate, picture
