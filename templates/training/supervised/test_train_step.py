{%% set policy = cookiecutter.gradient_policy %%}
"""The path from a batch to updated weights."""

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


@pytest.fixture
def feed(config: Config) -> list[np.ndarray]:
    """Three batches, stacked."""
    return next(batches(load(config).train, config.batch_size, STEPS, 0, 1)).arrays


def create(config: Config) -> tuple[nn.Cell, nn.Optimizer]:
    """Make a network and its optimizer; the seed makes the weights the same each time."""
    start(config.device, config.execution, config.seed)
    network = build.create_network(config, load(config))
    network.set_train(True)
    return network, build.create_optimizer(config, network, total_steps=100)


def run(config: Config, feed: list[np.ndarray], steps_per_call: int = STEPS) -> Any:
    """Train on the three batches; return the losses, the weights and the number of updates."""
    network, optimizer = create(config)
    loss_fn = build.create_loss(config, load(config))
    step = steps.create_train_step(network, loss_fn, optimizer, Scaler(), config)
    launch = create_launch(step, 1, steps_per_call, config.execution)
    losses = []
    for i in range(0, STEPS, steps_per_call):
        count = min(steps_per_call, STEPS - i)
        arrays = [np.resize(x[i : i + count], (steps_per_call, *x.shape[1:])) for x in feed]
        losses.append(launch(Chunk(count, arrays))[1].asnumpy()[:count])
    weights = [w.asnumpy() for w in network.trainable_params()]
    return np.concatenate(losses), weights, int(optimizer.global_step.asnumpy()[0])


def test_gradient_is_the_slope_of_the_loss(config: Config, feed: list[np.ndarray]):
    """Along the gradient the loss changes by its norm: central differences are the oracle."""
    network, optimizer = create(config)
    network.set_train(False)  # then one function: nothing is drawn, no statistic moves
    loss_fn = build.create_loss(config, load(config))
    data, label = Tensor(feed[0][0]), Tensor(feed[1][0])

    def forward_fn(data, label):
        return loss_fn(network(data), label)

    grads = ms.value_and_grad(forward_fn, None, optimizer.parameters)(data, label)[1]
    norm = float(np.sqrt(sum((g.asnumpy().astype(np.float64) ** 2).sum() for g in grads)))
    weights = [w.asnumpy().copy() for w in optimizer.parameters]
    shifted = []
    distance = 1e-2 / max(norm, 1.0)
    for direction in (1, -1):
        for w, start_at, g in zip(optimizer.parameters, weights, grads):
            ops.assign(w, Tensor(start_at + direction * distance * g.asnumpy()))
        shifted.append(float(forward_fn(data, label).asnumpy()))
    assert (shifted[0] - shifted[1]) / (2 * distance) == pytest.approx(norm**2, rel=0.05)


def test_step_is_the_chain_by_hand(config: Config, feed: list[np.ndarray]):
    """value_and_grad, {{ policy ~ ", " if policy != "none" }}optimizer, called by hand, give the same weights."""
    needs_equal_passes(config)
    network, optimizer = create(config)
    loss_fn = build.create_loss(config, load(config))

    def forward_fn(data, label):
        logits = network(data)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
{%% if policy != "none" %%}
    grad_fn = {%% include "gradient_policy/" ~ policy ~ "/use.py" %%}
{%% endif %%}
    by_hand = []
    for data, label in zip(*feed):
        (loss, _), grads = grad_fn(Tensor(data), Tensor(label))
        by_hand.append(float(loss.asnumpy()))
        optimizer(grads)

    losses, weights, _ = run(config, feed)
    np.testing.assert_allclose(losses, by_hand, err_msg=CHAIN, rtol=1e-4)
    for w, expected in zip(weights, network.trainable_params()):
        np.testing.assert_allclose(w, expected.asnumpy(), 1e-3, 1e-4, err_msg=CHAIN)


def test_loop_in_the_graph_is_single_steps_to_the_bit(config: Config, feed: list[np.ndarray]):
    """Three steps in one launch, in launches of two, and one by one."""
    needs_equal_passes(config)
    losses, weights, updates = run(config, feed)
    for steps_per_call in (1, 2):
        other_losses, other_weights, other_updates = run(config, feed, steps_per_call)
        assert np.array_equal(losses, other_losses)
        assert updates == other_updates == STEPS
        for w, other in zip(weights, other_weights):
            assert np.array_equal(w, other)


def test_accumulation_is_in_the_chain(config: Config, feed, monkeypatch):
    """The step hands its micro-batches to ``accumulate``, once."""
    asked = []

    def accumulate(grad_fn, micro_batches: int):
        asked.append(micro_batches)
        return grad_fn

    monkeypatch.setattr(steps, "accumulate", accumulate)
    network, optimizer = create(config)
    chosen = replace(config, accumulation_steps=2)
    loss_fn = build.create_loss(chosen, load(chosen))
    steps.create_train_step(network, loss_fn, optimizer, Scaler(), chosen)
    assert asked == [2]


def test_seed_decides_the_weights(config: Config):
    """The same seed gives the same weights, another one others."""
    first, again, other = (
        np.concatenate([w.asnumpy().ravel() for w in create(c)[0].trainable_params()])
        for c in (config, config, replace(config, seed=config.seed + 1))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_micro_batches_are_one_batch(config: Config, feed: list[np.ndarray]):
    """Two micro-batches, averaged, are the whole batch up to rounding."""
    needs_rows_alone(config)
    needs_equal_passes(config)
    losses, weights, updates = run(replace(config, accumulation_steps=1), feed)
    micro = run(replace(config, accumulation_steps=2), feed)
    micro_losses, micro_weights, micro_updates = micro
    assert updates == micro_updates == STEPS
    np.testing.assert_allclose(losses, micro_losses, rtol=1e-3)
    untrained = [w.asnumpy() for w in create(config)[0].trainable_params()]
    moved = sum(np.abs(w - u).sum() for w, u in zip(weights, untrained))
    apart = sum(np.abs(w - m).sum() for w, m in zip(weights, micro_weights))
    assert apart < 0.02 * moved


def test_eager_is_compiled(config: Config, feed: list[np.ndarray]):
    """The three ways of execution give the same losses."""
    needs_equal_passes(config)
    expected, *_ = run(replace(config, execution="graph"), feed)
    for execution in ("pynative_jit", "pynative"):
        losses, *_ = run(replace(config, execution=execution), feed)
        np.testing.assert_allclose(losses, expected, rtol=1e-5)
