{%% set policy = cookiecutter.gradient_policy %%}
{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}
"""The path from a batch to the updated weights of both networks."""

from dataclasses import replace
from typing import Any

import mindspore as ms
import numpy as np
import pytest
from causes import needs_equal_passes, needs_rows_alone
from mindspore import Tensor, nn, ops

from {{ cookiecutter.package_name }} import build
from {{ cookiecutter.package_name }} import train_step as steps
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.data import load
from {{ cookiecutter.package_name }}.engine.launch import Chunk, create_launch
from {{ cookiecutter.package_name }}.engine.precision import Scaler
from {{ cookiecutter.package_name }}.engine.runtime import start
{%% if policy != "none" %%}
from {{ cookiecutter.package_name }}.gradients import {{ policy }}
{%% endif %%}
from {{ cookiecutter.package_name }}.task import batches

STEPS = 3
CHAIN = "a link that you put into the chain of train_step.py belongs into this test, too"
Optimizers = tuple[nn.Optimizer, nn.Optimizer]


@pytest.fixture
def config(config: Config) -> Config:
    """Settings of a quick run with two updates of the discriminator a step."""
    return replace(config, discriminator_steps=2)


@pytest.fixture
def feed(config: Config) -> list[np.ndarray]:
    """Three steps' arrays, stacked."""
    return next(batches(load(config).train.data, config, STEPS, 1)).arrays


def create(config: Config) -> tuple[nn.Cell, Optimizers]:
    """Make both networks and their optimizers; the seed makes the weights the same each time."""
    start(config.device, config.execution, config.seed)
    network = build.create_network(config, load(config))
    network.set_train(True)
    return network, steps.create_optimizers(config, network, 100)


def weights_of(cell: nn.Cell) -> list[np.ndarray]:
    """Copy the weights."""
    return [w.asnumpy().copy() for w in cell.trainable_params()]


def run(config: Config, feed: list[np.ndarray], steps_per_call: int = STEPS) -> Any:
    """Train for three steps; return the losses, the weights and each optimizer's updates."""
    network, optimizers = create(config)
    loss_fn = build.create_loss(config, load(config))
    step = steps.create_train_step(network, loss_fn, optimizers, Scaler(), config)
    launch = create_launch(step, 2, steps_per_call, config.execution)
    losses = []
    for i in range(0, STEPS, steps_per_call):
        count = min(steps_per_call, STEPS - i)
        arrays = [np.resize(x[i : i + count], (steps_per_call, *x.shape[1:])) for x in feed]
        losses.append(launch(Chunk(count, arrays))[1].asnumpy()[:count])
    updates = [int(optimizer.global_step.asnumpy()[0]) for optimizer in optimizers]
    return np.concatenate(losses), weights_of(network), updates


def test_step_is_the_chain_by_hand(config: Config, feed: list[np.ndarray]):
    """value_and_grad, {{ policy ~ ", " if policy != "none" }}optimizer, by hand in turn, give the same weights."""
    needs_equal_passes(config)
    # Micro-batches round otherwise, and an optimizer that goes by signs would show it.
    config = replace(config, accumulation_steps=1)
    network, optimizers = create(config)
    loss_fn = build.create_loss(config, load(config))
{%% if penalty %%}
    slope_fn = ms.jit(ms.grad(network.discriminator))  # eager second derivatives lose terms
{%% endif %%}

    def discriminator_loss(real, latent{{ ", mix" if penalty }}):
        fake = network.generator(latent)
        # both at once, as the step does: Adam makes whole steps of gradients that are rounding only
        logits = network.discriminator(ops.concat((real, fake)))
        loss = loss_fn(logits[: len(real)], logits[len(real) :])
{%% if penalty %%}
        return loss + loss_fn.penalty(slope_fn((1 - mix) * real + mix * fake)), latent
{%% else %%}
        return loss, latent
{%% endif %%}

    def generator_loss(latent):
        return loss_fn.generator(network.discriminator(network.generator(latent))), latent

    def differentiate(forward_fn, optimizer):
        grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
{%% if policy != "none" %%}
        return {%% filter indent(4) | trim %%}{%% include "gradient_policy/" ~ policy ~ "/use.py" %%}{%% endfilter %%}

{%% else %%}
        return grad_fn
{%% endif %%}

    discriminate = differentiate(discriminator_loss, optimizers[0])
    generate = differentiate(generator_loss, optimizers[1])
    by_hand = []
    for step in range(STEPS):
        real, latent{{ ", mix" if penalty }} = (Tensor(x[step]) for x in feed)
        total = 0.0
        for i in range(2):
            (loss, _), grads = discriminate(real[i], latent[i]{{ ", mix[i]" if penalty }})
            total += float(loss.asnumpy()) / 2
            optimizers[0](grads)
        (loss, _), grads = generate(latent[2])
        by_hand.append([total, float(loss.asnumpy())])
        optimizers[1](grads)

    losses, weights, _ = run(config, feed)
    np.testing.assert_allclose(losses, by_hand, err_msg=CHAIN, rtol=1e-4, atol=1e-5)
    for w, expected in zip(weights, weights_of(network)):
        np.testing.assert_allclose(w, expected, 1e-3, 1e-4, err_msg=CHAIN)


class Still:
    """An optimizer that lets the weights be."""

    def __init__(self, optimizer: nn.Optimizer):
        self.parameters, self.global_step = optimizer.parameters, optimizer.global_step

    def __call__(self, gradients: tuple[Tensor, ...]) -> Tensor:
        return Tensor(0)


def test_each_optimizer_changes_its_own_network(config: Config, feed: list[np.ndarray]):
    """With one optimizer at rest its network keeps every bit, and the other one moves."""
    config = replace(config, execution="pynative")
    for moves in (0, 1):
        network, optimizers = create(config)
        cells = (network.discriminator, network.generator)
        before = [weights_of(cell) for cell in cells]
        chosen: Any = [o if i == moves else Still(o) for i, o in enumerate(optimizers)]
        loss_fn = build.create_loss(config, load(config))
        step = steps.create_train_step(network, loss_fn, chosen, Scaler(), config)
        step(*[Tensor(x[0]) for x in feed])
        after = [weights_of(cell) for cell in cells]
        assert all(map(np.array_equal, before[1 - moves], after[1 - moves]))
        assert not any(map(np.array_equal, before[moves][::2], after[moves][::2]))  # the matrices


def test_optimizers_share_no_state(config: Config):
    """Each has the weights of its network, and no two parameters of a graph have one name."""
    network, (discriminator, generator) = create(config)
    for optimizer, cell in ((discriminator, network.discriminator), (generator, network.generator)):
        assert [w.name for w in optimizer.parameters] == [w.name for w in cell.trainable_params()]
    names = [p.name for o in (discriminator, generator) for p in o.get_parameters()]
    assert len(set(names)) == len(names)
    for name in network.parameters_dict():
        assert name.startswith(("generator.", "discriminator."))


def test_loop_in_the_graph_is_single_steps_to_the_bit(config: Config, feed: list[np.ndarray]):
    """Three steps in one launch, in launches of two, and one by one; D is updated twice a step."""
    needs_equal_passes(config)
    losses, weights, updates = run(config, feed)
    assert updates == [2 * STEPS, STEPS]
    for steps_per_call in (1, 2):
        other_losses, other_weights, other_updates = run(config, feed, steps_per_call)
        assert np.array_equal(losses, other_losses)
        assert updates == other_updates
        for w, other in zip(weights, other_weights):
            assert np.array_equal(w, other)


def test_accumulation_is_in_both_chains(config: Config, feed, monkeypatch):
    """The step hands its micro-batches to ``accumulate``, once for each network."""
    asked = []

    def accumulate(grad_fn, micro_batches: int):
        asked.append(micro_batches)
        return grad_fn

    monkeypatch.setattr(steps, "accumulate", accumulate)
    network, optimizers = create(config)
    chosen = replace(config, accumulation_steps=2)
    loss_fn = build.create_loss(chosen, load(chosen))
    steps.create_train_step(network, loss_fn, optimizers, Scaler(), chosen)
    assert asked == [2, 2]


def test_micro_batches_are_one_batch(config: Config, feed: list[np.ndarray]):
    """Two micro-batches, averaged, are the whole batch up to rounding."""
    needs_rows_alone(config)
    needs_equal_passes(config)
    losses, weights, updates = run(replace(config, accumulation_steps=1), feed)
    micro_losses, micro_weights, micro_updates = run(replace(config, accumulation_steps=2), feed)
    assert updates == micro_updates
    np.testing.assert_allclose(losses, micro_losses, rtol=1e-3, atol=1e-4)
    untrained = weights_of(create(config)[0])
    moved = sum(np.abs(w - u).sum() for w, u in zip(weights, untrained))
    apart = sum(np.abs(w - m).sum() for w, m in zip(weights, micro_weights))
    assert apart < 0.02 * moved


def test_seed_decides_the_weights(config: Config):
    """The same seed gives the same weights, another one others."""
    first, again, other = (
        np.concatenate([w.ravel() for w in weights_of(create(c)[0])])
        for c in (config, config, replace(config, seed=config.seed + 1))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_eager_is_compiled(config: Config, feed: list[np.ndarray]):
    """The three ways of execution give the same losses."""
    needs_equal_passes(config)
    expected, *_ = run(replace(config, execution="graph"), feed)
    for execution in ("pynative_jit", "pynative"):
        losses, *_ = run(replace(config, execution=execution), feed)
        np.testing.assert_allclose(losses, expected, rtol=1e-5, atol=1e-6)
