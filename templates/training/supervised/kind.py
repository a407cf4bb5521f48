"""What the tests of every training must know of this kind."""

from collections.abc import Callable

import numpy as np
from mindspore import nn

from package import build
from package.config import Config
from package.data import load


def shorten(config: Config) -> None:
    """Make an epoch five steps."""
    config.train_rows = 5 * config.batch_size


def passes(network: nn.Cell, config: Config) -> list[tuple[nn.Cell, np.ndarray]]:
    """Return what maps rows to rows, and a few rows for each."""
    rows, _ = load(config).train.read(np.arange(4))
    return [(network, rows)]


def create_step(network: nn.Cell, config: Config, update: Callable) -> Callable:
    """Write a step out; ``update(i, forward_fn, *batch) -> loss`` is by the optimizer i."""
    loss_fn = build.create_loss(config, load(config))

    def forward_fn(data, label):
        logits = network(data)
        return loss_fn(logits, label), logits

    return lambda *batch: update(0, forward_fn, *batch)
