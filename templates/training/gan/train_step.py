{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}{%% set mix = ", mix" if penalty %%}
"""The path from a batch to the updated weights of both networks."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn, ops

from .build import create_optimizer
from .config import Config
from .engine.accumulate import accumulate
from .engine.measure import measured, measures{{ ", remember" if cookiecutter.gradient_policy != "none" }}, shape_of
from .engine.precision import Scaler
from .engine.ranks import average_over_ranks
from .engine.repeat import repeat{{ "\nfrom .gradients import " ~ cookiecutter.gradient_policy if cookiecutter.gradient_policy != "none" }}


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
    losses are (2,): the discriminator's, averaged over its updates, and the generator's; with what
    is measured beside each, (2, 1 + measures).{{ "\n    ``mix`` is (discriminator_steps, batch, 1, ...): where between real and fake the penalty looks." if penalty }}
    """
    shape = shape_of(measures(config.log_every, policy={{ cookiecutter.gradient_policy != "none" }}))
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
{%% if penalty %%}
        penalty = loss_fn.penalty(slope_fn(real + mix * (fake - real)))
{%% endif %%}
        return loss_fn(*ops.split(logits, real.shape[0])){{ " + penalty" if penalty }}, logits

    def generator_forward_fn(latent):
        logits = network.discriminator(network.generator(latent))
        return loss_fn.generator(logits), logits

    def create_update(forward_fn, optimizer):
{%% filter indent(8, first=true) %%}{%% include "training/chain.py" %%}{%% endfilter %%}

        def step(*batch):
            value, grads = grad_fn(*batch)  # the value is (loss, logits)
            return update(value[0], grads)

        return step

    update_discriminator = repeat(
        create_update(discriminator_forward_fn, optimizers[0]), config.discriminator_steps, shape
    )
    update_generator = create_update(generator_forward_fn, optimizers[1])

    def train_step(real, latent{{ mix }}):
        loss = update_discriminator(real, latent{{ mix }})
        return ops.stack((loss, update_generator(latent[-1])))

    return train_step
