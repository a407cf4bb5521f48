"""Lion against plain NumPy and numbers worked by hand."""

from collections.abc import Callable
from functools import cache

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

from package.optimizer import Lion

UPDATES = 5
rng = np.random.default_rng(0)
START = (rng.standard_normal((3, 4)), rng.standard_normal(4))
GRADIENTS = (rng.standard_normal((UPDATES, 3, 4)), rng.standard_normal((UPDATES, 4)))


class Rising(nn.learning_rate_schedule.LearningRateSchedule):
    """Update i has the rate (i + 1) / 10."""

    def construct(self, global_step: Tensor) -> Tensor:
        return 0.1 * ops.cast(global_step + 1, ms.float32).reshape(())


def parameters(*values: object, dtype: ms.Type = ms.float32) -> list[Parameter]:
    """Make weights called w0, w1, ..."""
    return [Parameter(Tensor(value, dtype), name=f"w{i}") for i, value in enumerate(values)]


def eager(function: Callable) -> Callable:
    """Leave ``function`` as it is, where ``ms.jit`` would compile it."""
    return function


def run(optimizer: nn.Optimizer, transform: Callable) -> nn.Optimizer:
    """Update with GRADIENTS, one after the other in a loop, and return the optimizer."""

    def updates(count, *stacks):
        i = ops.zeros((), ms.int32)
        while i < count:
            i = ops.depend(i, optimizer(tuple([stack[i] for stack in stacks]))) + 1
        return i

    stacks = [Tensor(stack, ms.float32) for stack in GRADIENTS]
    transform(updates)(Tensor(UPDATES, ms.int32), *stacks)
    return optimizer


@cache
def trained(transform: Callable) -> nn.Optimizer:
    """Return an optimizer after UPDATES updates."""
    return run(Lion(parameters(*START), Rising()), transform)


def numpy_lion(w: np.ndarray, gradients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lion with its defaults and the rates of Rising: weight and momentum at the end."""
    m, decay = np.zeros_like(w), 0.1 if w.ndim > 1 else 0.0
    for i, g in enumerate(gradients):
        w = w - 0.1 * (i + 1) * (np.sign(0.9 * m + 0.1 * g) + decay * w)
        m = 0.99 * m + 0.01 * g
    return w, m


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_several_updates(transform: Callable) -> None:
    """Oracle: the formula in float64, the rates those of updates 0, 1, ..."""
    optimizer = trained(transform)
    for i, start in enumerate(START):
        w, m = numpy_lion(start, GRADIENTS[i])
        np.testing.assert_allclose(optimizer.parameters[i].asnumpy(), w, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(optimizer.mean[i].asnumpy(), m, rtol=1e-5, atol=1e-7)


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    states = [trained(transform).get_parameters() for transform in (ms.jit, eager)]
    for got, expected in zip(*states):
        np.testing.assert_array_equal(got.asnumpy(), expected.asnumpy())


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_counts_updates(transform: Callable) -> None:
    """Oracle: the number of updates made."""
    assert trained(transform).global_step.asnumpy().tolist() == [UPDATES]


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_one_update(transform: Callable) -> None:
    """By hand: 1 - 0.1 * (-1 + 0.1 * 1) = 1.09, momentum 0.01 * -0.001."""
    (w,) = parameters([[1.0]])
    optimizer = Lion([w], 0.1, beta1=0.9, beta2=0.99, weight_decay=0.1)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[-0.001]], ms.float32))
    np.testing.assert_allclose(w.asnumpy(), [[1.09]], rtol=1e-6)
    np.testing.assert_allclose(optimizer.mean[0].asnumpy(), [[-1e-5]], rtol=1e-6)


def test_zero_gradient_and_momentum_leave_the_decay() -> None:
    """By hand: 1 - 0.1 * 0.1, and nothing at all for a bias."""
    weight, bias = parameters([[1.0]], [1.0])
    optimizer = Lion([weight, bias], 0.1, weight_decay=0.1)
    optimizer((Tensor([[0.0]], ms.float32), Tensor([0.0], ms.float32)))
    np.testing.assert_allclose(weight.asnumpy(), [[0.99]], rtol=1e-7)
    assert bias.asnumpy().tolist() == [1.0]


def test_direction_weighs_momentum_and_gradient() -> None:
    """By hand: after g = 1, m = 0.5; with g = -0.5 and -2, 0.75 m + 0.25 g is 0.25 and -0.125."""
    (w,) = parameters([0.0, 0.0])
    optimizer = Lion([w], 0.25, beta1=0.75, beta2=0.5)
    optimizer((Tensor([1.0, 1.0], ms.float32),))
    optimizer((Tensor([-0.5, -2.0], ms.float32),))
    assert w.asnumpy().tolist() == [-0.5, 0.0]


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_float16_weights(transform: Callable) -> None:
    """By hand: 1 - 0.125 * (1 + 0.5 * 1); the momentum 0.01 * 1e-6 has no place in float16."""
    (w,) = parameters([[1.0]], dtype=ms.float16)
    optimizer = Lion([w], 0.125, weight_decay=0.5)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[1e-6]], ms.float32))
    assert w.dtype == ms.float16
    assert w.asnumpy().tolist() == [[0.8125]]
    assert optimizer.mean[0].dtype == ms.float32
    np.testing.assert_allclose(optimizer.mean[0].asnumpy(), [[1e-8]], rtol=1e-5)


def test_state_has_the_weights_names() -> None:
    """Oracle: the names that a checkpoint is read by; each occurs once."""
    optimizer = Lion(parameters(*START), 0.1)
    names = [parameter.name for parameter in optimizer.get_parameters()]
    assert sorted(names) == [
        "global_step",
        "learning_rate",
        "mean.w0",
        "mean.w1",
        "w0",
        "w1",
    ]
