{%% set policy = cookiecutter.gradient_policy %%}
"""The path from a minibatch to updated weights."""

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
from {{ cookiecutter.package_name }}.rollout import Collector, create_act
from {{ cookiecutter.package_name }}.task import minibatches

STEPS = 3
CHAIN = "a link that you put into the chain of train_step.py belongs into this test, too"


Feed = list[np.ndarray]


@pytest.fixture
def config(config: Config) -> Config:
    """Settings of a quick run, with short rollouts and small minibatches."""
    dataset = replace(config.dataset, environments=8, rollout_steps=32)
    return replace(config, dataset=dataset, batch_size=64 * config.accumulation_steps)


@pytest.fixture
def feed(config: Config) -> Feed:
    """Three minibatches of a rollout of the untrained policy, stacked."""
    start(config.device, config.execution, config.seed)
    dataset = load(config)
    act = create_act(build.create_network(config, dataset), dataset.actions, config.execution)
    rows = Collector(dataset, act, config).collect(1)
    _, arrays = next(minibatches(rows, config.batch_size, STEPS, STEPS, 0, 1))
    return arrays


def create(config: Config) -> tuple[nn.Cell, nn.Optimizer]:
    """Make a network and its optimizer; the seed makes the weights the same each time."""
    start(config.device, config.execution, config.seed)
    network = build.create_network(config, load(config))
    network.set_train(True)
    return network, build.create_optimizer(config, network, total_steps=100)


def create_step(config: Config, network: nn.Cell, optimizer: nn.Optimizer) -> Any:
    """Make the training step."""
    dataset = load(config)
    actions, loss_fn = dataset.actions, build.create_loss(config, dataset)
    return steps.create_train_step(network, actions, loss_fn, optimizer, Scaler(), config)


def create_forward(config: Config, network: nn.Cell) -> Any:
    """Make the forward function, as its docstring in the step says."""
    dataset = load(config)
    actions, loss_fn = dataset.actions, build.create_loss(config, dataset)

    def forward_fn(observation, action, old_log_prob, advantage, target):
        output = network(observation)
        policy, value = output[:, :-1], output[:, -1]
        log_prob, entropy = actions.log_prob(policy, action), actions.entropy(policy)
        return loss_fn(log_prob, old_log_prob, advantage, value, target, entropy), output

    return forward_fn


def run(config: Config, feed: Feed, steps_per_call: int = STEPS) -> Any:
    """Train on the three batches; return the losses, the weights and the number of updates."""
    network, optimizer = create(config)
    step = create_step(config, network, optimizer)
    launch = create_launch(step, 1, steps_per_call, config.execution)
    losses = []
    for i in range(0, STEPS, steps_per_call):
        count = min(steps_per_call, STEPS - i)
        chunk = [np.resize(x[i : i + count], (steps_per_call, *x.shape[1:])) for x in feed]
        losses.append(launch(Chunk(count, chunk))[1].asnumpy()[:count])
    weights = [w.asnumpy() for w in network.trainable_params()]
    return np.concatenate(losses), weights, int(optimizer.global_step.asnumpy()[0])


def test_ratio_before_the_first_update_is_one(config: Config, feed: Feed):
    """Acting and learning agree on every action's probability, row by row."""
    network, _ = create(config)
    observation, action, old_log_prob, _, _ = (Tensor(x[0]) for x in feed)
    log_prob = load(config).actions.log_prob(network(observation)[:, :-1], action)
    ratio = ops.exp(log_prob - old_log_prob)
    assert ratio.shape == (config.batch_size,)
    np.testing.assert_allclose(ratio.asnumpy(), 1, rtol=1e-6)


def test_gradient_is_the_slope_of_the_loss(config: Config, feed: Feed):
    """Along the gradient the loss changes by its norm: central differences are the oracle."""
    network, optimizer = create(config)
    network.set_train(False)  # then one function: nothing is drawn, no statistic moves
    batch = [Tensor(x[0]) for x in feed]
    forward_fn = create_forward(config, network)
    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
    grads = grad_fn(*batch)[1]
    norm = float(np.sqrt(sum((g.asnumpy().astype(np.float64) ** 2).sum() for g in grads)))
    weights = [w.asnumpy().copy() for w in optimizer.parameters]
    shifted = []
    distance = 1e-2 / max(norm, 1.0)
    for direction in (1, -1):
        for w, start_at, g in zip(optimizer.parameters, weights, grads):
            ops.assign(w, Tensor(start_at + direction * distance * g.asnumpy()))
        shifted.append(float(forward_fn(*batch)[0].asnumpy()))
    assert (shifted[0] - shifted[1]) / (2 * distance) == pytest.approx(norm**2, rel=0.05)


def test_step_is_the_chain_by_hand(config: Config, feed: Feed):
    """value_and_grad, {{ policy ~ ", " if policy != "none" }}optimizer, called by hand, give the same weights."""
    needs_equal_passes(config)
    network, optimizer = create(config)
    forward_fn = create_forward(config, network)
    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
{%% if policy != "none" %%}
    grad_fn = {%% include "gradient_policy/" ~ policy ~ "/use.py" %%}
{%% endif %%}
    by_hand = []
    for batch in zip(*feed):
        (loss, _), grads = grad_fn(*map(Tensor, batch))
        by_hand.append(float(loss.asnumpy()))
        optimizer(grads)

    losses, weights, _ = run(config, feed)
    np.testing.assert_allclose(losses, by_hand, err_msg=CHAIN, rtol=1e-4)
    for w, expected in zip(weights, network.trainable_params()):
        np.testing.assert_allclose(w, expected.asnumpy(), 1e-3, 1e-4, err_msg=CHAIN)


def test_loop_in_the_graph_is_single_steps_to_the_bit(config: Config, feed: Feed):
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
    create_step(chosen, network, optimizer)
    assert asked == [2]


def test_seed_decides_the_weights(config: Config):
    """The same seed gives the same weights, another one others."""
    first, again, other = (
        np.concatenate([w.asnumpy().ravel() for w in create(c)[0].trainable_params()])
        for c in (config, config, replace(config, seed=config.seed + 1))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_micro_batches_are_one_batch(config: Config, feed: Feed):
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


def test_eager_is_compiled(config: Config, feed: Feed):
    """The three ways of execution give the same losses."""
    needs_equal_passes(config)
    expected, *_ = run(replace(config, execution="graph"), feed)
    for execution in ("pynative_jit", "pynative"):
        losses, *_ = run(replace(config, execution=execution), feed)
        np.testing.assert_allclose(losses, expected, rtol=1e-5)
