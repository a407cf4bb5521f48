{%% set policy = cookiecutter.gradient_policy %%}
"""The path from a batch to updated weights."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import mindspore as ms
import numpy as np
import pytest
from causes import needs_equal_passes, needs_rows_alone
from fresh import fresh, weights_of
from kind import create_step
from mindspore import Tensor, ops

from {{ cookiecutter.package_name }} import train_step
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine.launch import Chunk, create_launch
from {{ cookiecutter.package_name }}.engine.task import Task
{%% if policy != "none" %%}
from {{ cookiecutter.package_name }}.gradients import {{ policy }}
{%% endif %%}

STEPS = 3
CHAIN = "a link that you put into the chain of train_step.py belongs into this test, too"


class Trained(NamedTuple):
    """What three steps leave."""

    losses: np.ndarray
    weights: list[np.ndarray]
    updates: list[int]


def updates_of(task: Task) -> list[int]:
    """Count the updates that each optimizer has made."""
    return [int(optimizer.global_step.asnumpy()[0]) for optimizer in task.optimizers]


@pytest.fixture(scope="module")
def feed(shortened: Callable[..., Config]) -> list[np.ndarray]:
    """Three batches, stacked."""
    return next(iter(fresh(shortened(steps_per_call=STEPS)).feed(1, 0))).arrays


@pytest.fixture(scope="module")
def trained(shortened: Callable[..., Config], feed: list[np.ndarray]) -> Callable[..., Trained]:
    """Train on the three batches, so many a launch; what was trained once is not trained again."""

    @cache
    def trained(steps_per_call: int = STEPS, execution="graph", accumulation_steps=1) -> Trained:
        task = fresh(shortened(execution=execution, accumulation_steps=accumulation_steps))
        launch = create_launch(task.train_step, len(task.losses), steps_per_call, execution)
        stacks = [x.reshape((-1, steps_per_call, *x.shape[1:])) for x in feed]
        chunks = [Chunk(steps_per_call, list(arrays)) for arrays in zip(*stacks)]
        losses = [launch(chunk)[1].asnumpy() for chunk in chunks]
        return Trained(np.concatenate(losses), weights_of(task), updates_of(task))

    return trained


def test_gradient_is_the_slope_of_the_loss(shortened, feed: list[np.ndarray]):
    """Along a gradient the loss changes by its norm: central differences are the oracle."""
    config = shortened(execution="pynative")
    task = fresh(config)
    task.network.set_train(False)  # then one function: nothing is drawn, no statistic moves

    def check(i: int, forward_fn: Callable, *batch: Tensor) -> float:
        parameters = task.optimizers[i].parameters
        grad_fn = ms.value_and_grad(forward_fn, None, parameters, has_aux=True)
        (loss, _), grads = grad_fn(*batch)
        norm = float(np.sqrt(sum((g.asnumpy().astype(np.float64) ** 2).sum() for g in grads)))
        distance = 1e-2 / max(norm, 1.0)
        weights = [w.asnumpy().copy() for w in parameters]
        shifted = []
        for way in (distance, -distance, 0):
            for w, start_at, g in zip(parameters, weights, grads):
                ops.assign(w, Tensor(start_at + np.float32(way) * g.asnumpy()))
            shifted.append(float(forward_fn(*batch)[0].asnumpy()))
        assert (shifted[0] - shifted[1]) / (2 * distance) == pytest.approx(norm**2, rel=0.05)
        return float(loss.asnumpy())

    create_step(task.network, config, check)(*[Tensor(x[0]) for x in feed])


def test_step_is_the_chain_by_hand(shortened, trained, feed: list[np.ndarray]):
    """value_and_grad, {{ policy ~ ", " if policy != "none" }}optimizer, by hand in turn, give the same weights."""
    config = shortened(execution="pynative")
    needs_equal_passes(config)
    task = fresh(config)
{%% if policy in ("adaptive_clip", "centralize") %%}
    network = task.network
{%% endif %%}

    def update(i: int, forward_fn: Callable, *batch: Tensor) -> float:
        optimizer = task.optimizers[i]
        grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
{%% if policy != "none" %%}
        grad_fn = {%% filter indent(4) | trim %%}{%% include "gradient_policy/" ~ policy ~ "/use.py" %%}{%% endfilter %%}

{%% endif %%}
        (loss, _), grads = grad_fn(*batch)
        optimizer(grads)
        return float(loss.asnumpy())

    step = create_step(task.network, config, update)
    losses = [step(*map(Tensor, batch)) for batch in zip(*feed)]
    found = trained()
    np.testing.assert_allclose(found.losses, losses, err_msg=CHAIN, rtol=1e-4, atol=1e-5)
    for w, expected in zip(found.weights, weights_of(task)):
        np.testing.assert_allclose(w, expected, 1e-3, 1e-4, err_msg=CHAIN)
    assert found.updates == updates_of(task)


def test_loop_in_the_graph_is_single_steps_to_the_bit(short: Config, trained):
    """Three steps in one launch, and one by one."""
    needs_equal_passes(short)
    together, alone = trained(), trained(steps_per_call=1)
    assert np.array_equal(together.losses, alone.losses)
    assert together.updates == alone.updates
    assert all(map(np.array_equal, together.weights, alone.weights))


{%% set links = '["accumulate"]' if policy == "none" else '["accumulate", "' ~ policy ~ '"]' %%}
@pytest.mark.parametrize("link", {{ links }})
def test_link_is_in_the_chain(link: str, shortened, monkeypatch):
    """It takes the gradient once for each optimizer, ``accumulate`` in as many parts as asked."""
    taken = []

    def take(grad_fn: Callable, *settings: Any) -> Callable:
        taken.append(settings[:1])
        return grad_fn

    monkeypatch.setattr(train_step, link, take)
    task = fresh(shortened(accumulation_steps=2))
    assert len(taken) == len(task.optimizers)
    assert link != "accumulate" or set(taken) == {(2,)}


def test_micro_batches_are_one_batch(short: Config, trained):
    """Two micro-batches, averaged, are the whole batch up to rounding."""
    needs_rows_alone(short)
    needs_equal_passes(short)
    whole, micro = trained(), trained(accumulation_steps=2)
    assert whole.updates == micro.updates
    np.testing.assert_allclose(whole.losses, micro.losses, rtol=1e-3, atol=1e-4)
    before = weights_of(fresh(short))
    moved = sum(np.abs(w - b).sum() for w, b in zip(whole.weights, before))
    apart = sum(np.abs(w - m).sum() for w, m in zip(whole.weights, micro.weights))
    assert apart < 0.02 * moved


@pytest.mark.parametrize("execution", ["pynative_jit", "pynative"])
def test_eager_is_compiled(execution: str, short: Config, shortened, trained):
    """Losses and metrics are the same in every way of execution."""
    needs_equal_passes(short)
    found, expected = trained(execution=execution), trained()
    np.testing.assert_allclose(found.losses, expected.losses, rtol=1e-5, atol=1e-6)
    judged = fresh(shortened(execution=execution)).evaluate("validation")
    assert judged == pytest.approx(fresh(short).evaluate("validation"), rel=1e-5, abs=1e-6)
