"""Supervised training as a record: its parts, its batches, and how weights are judged."""

from collections.abc import Callable, Iterator

import numpy as np
from mindspore import Tensor, nn

from .build import create_loss, create_network, create_optimizer
from .config import Config
from .data import load
from .engine.kept import Kept
from .engine.launch import Chunk, evaluate_rows, in_chunks
from .engine.rows import Dataset, Split, steps_per_epoch
from .engine.runtime import check_micro_batches, compiled, resolve_steps_per_call
from .engine.streams import reader
from .engine.task import Task
from .metrics import ROWS, create_measure, observe, score
{%% if cookiecutter.tracker != "none" %%}
from .tracker import create_tracker
{%% endif %%}
from .train_step import create_train_step


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
    steps_per_call = resolve_steps_per_call(config.steps_per_call, config.device, steps)
    network = create_network(config, dataset)
    loss_fn = create_loss(config, dataset)
    optimizer = create_optimizer(config, network, config.epochs * steps)

    def feed(epoch: int, first: int) -> Iterator[Chunk]:
        return batches(rows, config.batch_size, steps_per_call, config.seed, epoch, first)

    def probe() -> Tensor:
        data, label = (Tensor(np.resize(x[:2], (2, *x.shape[1:]))) for x in rows)
        return loss_fn(network(data), label)

    return Task(
        network=network,
        optimizers=(optimizer,),
        train_step=create_train_step(network, loss_fn, optimizer, config),
        losses=("loss",),
        steps_per_call=steps_per_call,
        steps_per_epoch=steps,
        feed=feed,
        evaluate=create_evaluate(network, dataset, config),
        score=score,
        probe=probe,
        kept=dataset.kept.to_json() if dataset.kept else None,
        found=dataset.found,
        remarks=list(dataset.remarks),
{%% if cookiecutter.tracker != "none" %%}
        track=create_tracker,
{%% endif %%}
    )


def batches(
    rows: Split, batch_size: int, steps_per_call: int, seed: int, epoch: int, first: int = 0
) -> Iterator[Chunk]:
    """Yield ``[data, label]`` of an epoch from step ``first`` on, as (steps_per_call, batch, ...).

    The order depends on ``(seed, epoch)`` alone, so any epoch can be replayed.
    """
    total = steps_per_epoch(len(rows.data), batch_size)
    order = np.random.default_rng((seed, epoch)).permutation(len(rows.data))
    order = order[: total * batch_size].reshape(total, batch_size)
    read = reader(rows.data, order, first, (seed, epoch))
    for steps, chunk in in_chunks(order[first:], steps_per_call):
        yield Chunk(steps, [read(steps, chunk), rows.label[chunk]])


def create_evaluate(
    network: nn.Cell, dataset: Dataset, config: Config
) -> Callable[[str], dict[str, float]]:
    """Make ``evaluate(split) -> metrics``: the mean loss and the metrics over all its rows."""
    loss_fn = create_loss(config, dataset, reduction="none")
    measure = create_measure(dataset)

    def eval_step(data, label):
        logits = network(data)
        return observe(logits, label), loss_fn(logits, label)

    step = compiled(eval_step, config.execution)

    def evaluate(name: str) -> dict[str, float]:
        split: Split = getattr(dataset, name)
        rows = len(split.data)
        observed, losses = evaluate_rows(step, lambda i: (x[i % rows] for x in split), rows, ROWS)
        return {"loss": float(losses.mean()), **measure(observed, split.label)}

    return evaluate
