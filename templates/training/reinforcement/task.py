"""Reinforcement learning as a record: its parts, its rollouts, and how weights are judged."""

import math
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import numpy as np
from mindspore import Tensor, nn

from .build import create_loss, create_network, create_optimizer
from .config import Config
from .data import load
from .engine.errors import InputError
from .engine.launch import Chunk, in_chunks
from .engine.measure import measures
from .engine.precision import create_scaler, lower
from .engine.ranks import world
from .engine.runtime import check_micro_batches, count_updates, resolve_steps_per_call
from .engine.task import Task
from .episodes import draw_episode, evaluate_policy
from .metrics import measure, score
from .rollout import Act, Collector, Dataset, Rows, create_act, seed_of
{{ "from .tracker import create_tracker\n" if cookiecutter.tracker != "none" }}from .train_step import create_train_step


def create_task(config: Config, kept: str | None = None) -> Task:
    """Make the network, its environments, and all that trains and judges it.

    Args:
        config: settings of the run.
        kept: not used: an environment is not split, and does not change.

    Raises:
        InputError: a setting does not fit the environment, or there are several ranks.
    """
    if world().size > 1:
        raise InputError("reinforcement learning trains in one process: start train by itself")
    check_micro_batches(config.batch_size, config.accumulation_steps)
    rows = config.dataset.environments * config.dataset.rollout_steps
    updates = updates_per_rollout(rows, config.batch_size, config.passes)
    dataset = load(config)
    size = 4 * config.batch_size * int(np.prod(dataset.shape))  # of the observations, float32
    steps_per_call = resolve_steps_per_call(
        config.steps_per_call, config.device, updates, bytes_per_step=size
    )
    network = lower(create_network(config, dataset), config.precision)
    loss_fn = create_loss(config, dataset)
    optimizer = create_optimizer(config, network, count_updates(config, updates))
    scaler = create_scaler(config.precision, config.skip_non_finite)
    act = create_act(network, dataset.actions, config.execution)
    collector = cache(lambda: Collector(dataset, act, config))  # made when training begins
    evaluate, draw = create_evaluate(act, dataset, config)

    def feed(epoch: int, first: int) -> Iterator[Chunk]:  # first is 0: see resumes_in_epoch
        rollout = collector().collect(epoch)
        return minibatches(rollout, config.batch_size, updates, steps_per_call, config.seed, epoch)

    def observe() -> dict[str, float]:
        returns = collector().returns
        return measure(np.array(returns)) if returns else {}

    return Task(
        network=network,
        optimizers=(optimizer,),
        scaler=scaler,
        train_step=create_train_step(network, dataset.actions, loss_fn, optimizer, scaler, config),
        losses=("loss",),
        measured=measures(config.log_every, policy={{ cookiecutter.gradient_policy != "none" }}),
        steps_per_call=steps_per_call,
        steps_per_epoch=updates,
        feed=feed,
        evaluate=evaluate,
        score=score,
        probe=create_probe(network, dataset, loss_fn),
        observe=observe,
        host=lambda: collector().history(),
        restore=lambda arrays: collector().replay(arrays["taken"], arrays["observation"]),
        resumes_in_epoch=False,
        draw=draw,{{ "\n        track=create_tracker," if cookiecutter.tracker != "none" }}
    )


def create_exported(config: Config, kept: str | None) -> tuple[nn.Cell, nn.Cell, np.ndarray]:
    """Make the network, say what of it leaves the project, and give a row that this part takes.

    Args:
        config: settings of the run.
        kept: not used.
    """
    dataset = load(config)
    network = create_network(config, dataset)
    row = np.linspace(-1, 1, math.prod(dataset.shape), dtype=np.float32)
    return network, network, row.reshape(dataset.shape)


def create_evaluate(
    act: Act, dataset: Dataset, config: Config
) -> tuple[Callable[[str], dict[str, float]], Callable[[str, Path], None]]:
    """Make ``evaluate(split) -> metrics``, over whole episodes, and ``draw(split, path)``, of one.

    The episodes of a split depend on the seed alone: every evaluation plays the same ones.
    """
    copies = config.dataset.environments

    def evaluate(split: str) -> dict[str, float]:
        episodes = config.evaluation_episodes if split == "test" else copies
        seed = seed_of(config.seed, split.encode())
        with closing(dataset.make(copies)) as environments:
            return measure(evaluate_policy(act, dataset.actions, environments, episodes, seed))

    def draw(split: str, path: Path) -> None:
        draw_episode(act, dataset, copies, path, seed_of(config.seed, split.encode()))

    return evaluate, draw


def create_probe(network: nn.Cell, dataset: Dataset, loss_fn: nn.LossBase) -> Callable[[], Tensor]:
    """Make ``probe() -> loss`` of two rows of zeros, with an action drawn for each."""

    def probe() -> Tensor:
        output = network(Tensor(np.zeros((2, *dataset.shape), np.float32)))
        policy, value = output[:, :-1], output[:, -1]
        noise = Tensor(dataset.actions.noise(np.random.default_rng(0), 2))
        action = dataset.actions.sample(policy, noise)
        log_prob = dataset.actions.log_prob(policy, action)
        entropy = dataset.actions.entropy(policy)
        return loss_fn(log_prob, log_prob, value, value, value, entropy)

    return probe


def updates_per_rollout(rows: int, batch_size: int, passes: int) -> int:
    """Count the batches in ``passes`` over ``rows`` steps.

    Raises:
        InputError: not even one a pass.
    """
    if batch_size > rows:
        raise InputError(
            f"batch_size {batch_size} is larger than a rollout, environments x rollout_steps = "
            f"{rows}: use at most {rows}"
        )
    return passes * (rows // batch_size)


def minibatches(
    rows: Rows, batch_size: int, updates: int, steps_per_call: int, seed: int, epoch: int
) -> Iterator[Chunk]:
    """Yield the arrays of ``rows`` stacked to (steps_per_call, batch, ...).

    The rows are shuffled, and shuffled anew each time all have been taken, until there are enough
    for ``updates``. The order depends on ``(seed, epoch)`` alone. Every chunk has the same shape
    however many rows there are.
    """
    rng = np.random.default_rng((seed, epoch, *b"order"))
    there = len(rows.advantage)
    passes = -(-updates * batch_size // there)
    order = np.concatenate([rng.permutation(there) for _ in range(passes)])
    order = order[: updates * batch_size].reshape(updates, batch_size)
    for steps, chunk in in_chunks(order, steps_per_call):
        yield Chunk(steps, [array[chunk] for array in rows])
