{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}
{%% set mix = ", mix" if penalty %%}
"""The path from a batch to the updated weights of both networks."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn, ops

from .build import create_optimizer
from .config import Config
from .engine.accumulate import accumulate
from .engine.precision import Scaler
{%% include "training/policy_import.py" %%}


def create_optimizers(
    config: Config, network: nn.Cell, steps: int
) -> tuple[nn.Optimizer, nn.Optimizer]:
    """Make an optimizer for the discriminator and one for the generator, updated ``steps`` times.

    Each knows the weights of its own network only.
    """
    discriminator = create_optimizer(
        config, network.discriminator, steps * config.discriminator_steps
    )
    generator = create_optimizer(config, network.generator, steps)
    for name, optimizer in (("discriminator", discriminator), ("generator", generator)):
        for state in optimizer.get_parameters():
            if name not in state.name:  # global_step, of which one graph takes no two
                state.name = f"{name}.{state.name}"
    return discriminator, generator


def create_train_step(
    network: nn.Cell,
    loss_fn: nn.LossBase,
    optimizers: tuple[nn.Optimizer, nn.Optimizer],
    scaler: Scaler,
    config: Config,
) -> Callable[..., Tensor]:
    """Make ``train_step(real, latent{{ mix }}) -> losses``, which updates both networks.

    ``real`` is (discriminator_steps, batch, *row) and ``latent`` (discriminator_steps + 1, batch,
    latent): the discriminator is updated once on each, the generator on the last latents. The
    losses are (2,): the discriminator's, averaged over its updates, and the generator's.
{%% if penalty %%}
    ``mix`` is (discriminator_steps, batch, 1, ...): where between real and fake the penalty looks.
{%% endif %%}
    """
    discriminator_optimizer, generator_optimizer = optimizers
{%% if penalty %%}

    def total_logit(rows):
        return network.discriminator(rows).sum()

    def slope_fn(rows):
        return ms.grad(total_logit)(rows)

    if config.execution == "pynative":  # an eager second derivative loses terms (MindSpore 2.10)
        slope_fn = ms.jit(slope_fn)
{%% endif %%}

    def discriminator_forward_fn(real, latent{{ mix }}):
        fake = ops.stop_gradient(network.generator(latent)).astype(ms.float32)
        logits = network.discriminator(ops.concat((real, fake)))
        real_logits, fake_logits = ops.split(logits, real.shape[0])
        loss = loss_fn(real_logits, fake_logits)
{%% if penalty %%}
        loss = loss + loss_fn.penalty(slope_fn(real + mix * (fake - real)))
{%% endif %%}
        return loss, real_logits

    def generator_forward_fn(latent):
        logits = network.discriminator(network.generator(latent))
        return loss_fn.generator(logits), logits

    def create_chain(forward_fn, optimizer):
{%% filter indent(8, first=true) %%}
{%% include "training/chain.py" %%}
{%% endfilter %%}
        return grad_fn, update

    discriminator_grad_fn, update_discriminator = create_chain(
        discriminator_forward_fn, discriminator_optimizer
    )
    generator_grad_fn, update_generator = create_chain(generator_forward_fn, generator_optimizer)

    def discriminator_step(i, *arrays):
        batch = [ops.gather(x, i, 0) for x in arrays]
        (loss, _), grads = discriminator_grad_fn(*batch)
        return update_discriminator(loss, grads)

    def train_step(real, latent{{ mix }}):
        i = ops.zeros((), ms.int32)
        if config.discriminator_steps == 1:  # a loop in the graph costs as much as ten kernels
            loss = discriminator_step(i, real, latent{{ mix }})
        else:
            loss = ops.zeros((), ms.float32)
            while i < config.discriminator_steps:
                loss = loss + discriminator_step(i, real, latent{{ mix }})
                i = i + 1
        (generator_loss, _), grads = generator_grad_fn(latent[-1])
        generator_loss = update_generator(generator_loss, grads)
        return ops.stack((loss / config.discriminator_steps, generator_loss))

    return train_step
