{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}
"""What the tests of every training must know of this kind."""

from collections.abc import Callable

{{ "import mindspore as ms\n" if penalty }}import numpy as np
from mindspore import nn, ops

from package import build
from package.config import Config
from package.data import load


def shorten(config: Config) -> None:
    """Make an epoch five steps, each with two updates of the discriminator."""
    config.train_rows, config.discriminator_steps = 5 * config.batch_size, 2


def passes(network: nn.Cell, config: Config) -> list[tuple[nn.Cell, np.ndarray]]:
    """Return what maps rows to rows, and a few rows for each."""
    latent = np.random.default_rng(0).standard_normal((8, config.network.latent), np.float32)
    return [(network.generator, latent), (network.discriminator, load(config).train.data[:4])]


def create_step(network: nn.Cell, config: Config, update: Callable) -> Callable:
    """Write a step out; ``update(i, forward_fn, *batch) -> loss`` is by the optimizer i."""
    loss_fn = build.create_loss(config, load(config))
{%% if penalty %%}
    slope_fn = ms.jit(ms.grad(network.discriminator))  # eager second derivatives lose terms
{%% endif %%}

    def discriminator_fn(real, latent{{ ", mix" if penalty }}):
        fake = network.generator(latent)
        # both at once, as the step does: Adam makes whole steps of gradients that are rounding only
        logits = network.discriminator(ops.concat((real, fake)))
        loss = loss_fn(logits[: len(real)], logits[len(real) :])
        return loss{{ " + loss_fn.penalty(slope_fn((1 - mix) * real + mix * fake))" if penalty }}, latent

    def generator_fn(latent):
        return loss_fn.generator(network.discriminator(network.generator(latent))), latent

    def step(real, latent, *others):
        arrays = (real, latent, *others)
        each = [update(0, discriminator_fn, *[x[i] for x in arrays]) for i in range(len(real))]
        return [np.mean(each), update(1, generator_fn, latent[-1])]

    return step
