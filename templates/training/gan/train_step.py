{%% set policy = cookiecutter.gradient_policy %%}
{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}
{%% set mix = ", mix" if penalty %%}
"""The path from a batch to the updated weights of both networks, and the loop around it."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn, ops

from .build import create_optimizer
from .config import Config
from .engine.accumulate import accumulate
from .engine.runtime import compiled
{%% if policy != "none" %%}
from .gradients import {{ policy }}
{%% endif %%}


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
        fake = ops.stop_gradient(network.generator(latent))
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

    def create_grad_fn(forward_fn, optimizer):
        grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
        grad_fn = accumulate(grad_fn, config.accumulation_steps)
{%% if policy != "none" %%}
        grad_fn = {%% filter indent(4) | trim %%}{%% include "gradient_policy/" ~ policy ~ "/use.py" %%}{%% endfilter %%}

{%% endif %%}
        return grad_fn

    discriminator_grad_fn = create_grad_fn(discriminator_forward_fn, discriminator_optimizer)
    generator_grad_fn = create_grad_fn(generator_forward_fn, generator_optimizer)

    def discriminator_step(i, *arrays):
        batch = [ops.gather(x, i, 0) for x in arrays]
        value, grads = discriminator_grad_fn(*batch)  # value is (loss, logits)
        return ops.depend(value[0], discriminator_optimizer(grads))

    def train_step(real, latent{{ mix }}):
        i = ops.zeros((), ms.int32)
        if config.discriminator_steps == 1:  # a loop in the graph costs as much as ten kernels
            loss = discriminator_step(i, real, latent{{ mix }})
        else:
            loss = ops.zeros((), ms.float32)
            while i < config.discriminator_steps:
                loss = loss + discriminator_step(i, real, latent{{ mix }})
                i = i + 1
        value, grads = generator_grad_fn(latent[-1])
        generator_loss = ops.depend(value[0], generator_optimizer(grads))
        return ops.stack((loss / config.discriminator_steps, generator_loss))

    return train_step


def create_train_steps(
    train_step: Callable[..., Tensor], steps_per_call: int, execution: str
) -> Callable[..., Tensor]:
    """Make ``train_steps(steps, real, latent{{ mix }}) -> losses``: many in one launch.

    The arrays are those of ``train_step`` stacked to (steps_per_call, ...), of which the first
    ``steps`` (a scalar int32 Tensor) are used; ``losses`` is (steps_per_call, 2), each taken before
    its update. A launch from Python costs more than a small step, so the loop is in the graph.
    """

    def one_step(steps, real, latent{{ mix }}):  # steps is 1
        return ops.reshape(train_step(real[0], latent[0]{{ ", mix[0]" if penalty }}), (1, 2))

    def many_steps(steps, real, latent{{ mix }}):
        losses = ops.zeros((steps_per_call, 2), ms.float32)
        i = ops.zeros((), ms.int32)
        while i < steps:
            # x[i] would mend a negative i first, with three kernels more
            batch = [ops.gather(x, i, 0) for x in (real, latent{{ ", mix" if penalty }})]
            losses[i] = train_step(*batch)
            i = i + 1
        return losses

    return compiled(one_step if steps_per_call == 1 else many_steps, execution)
