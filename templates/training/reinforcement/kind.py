"""What the tests of every training must know of this kind."""

from collections.abc import Callable

import numpy as np
from mindspore import nn

from package import build
from package.config import Config
from package.data import load


def shorten(config: Config) -> None:
    """Make an epoch four updates, of a rollout of four environments."""
    size = config.accumulation_steps * 32
    config.dataset.environments, config.dataset.rollout_steps = 4, 2 * size
    config.batch_size, config.passes = 2 * size, 1
    config.evaluation_episodes, config.validate_every = 4, None


def passes(network: nn.Cell, config: Config) -> list[tuple[nn.Cell, np.ndarray]]:
    """Return what maps rows to rows, and a few rows for each."""
    shape = load(config).shape
    return [(network, np.random.default_rng(0).standard_normal((4, *shape), np.float32))]


def create_step(network: nn.Cell, config: Config, update: Callable) -> Callable:
    """Write a step out; ``update(i, forward_fn, *batch) -> loss`` is by the optimizer i."""
    dataset = load(config)
    actions, loss_fn = dataset.actions, build.create_loss(config, dataset)

    def forward_fn(observation, action, old_log_prob, advantage, target):
        output = network(observation)
        policy, value = output[:, :-1], output[:, -1]
        log_prob, entropy = actions.log_prob(policy, action), actions.entropy(policy)
        return loss_fn(log_prob, old_log_prob, advantage, value, target, entropy), output

    return lambda *batch: update(0, forward_fn, *batch)
