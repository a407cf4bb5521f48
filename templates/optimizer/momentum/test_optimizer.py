"""Momentum against plain NumPy and numbers worked by hand."""

from collections.abc import Callable
from functools import cache

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn
from updates import GRADIENTS, START, UPDATES, Rising, eager, updated
from weights import parameters

from package.optimizer import Momentum


@cache
def trained(transform: Callable, nesterov: bool = False) -> nn.Optimizer:
    """Return an optimizer after UPDATES updates."""
    return updated(Momentum(parameters(*START), Rising(), nesterov=nesterov), transform)


def numpy_momentum(
    w: np.ndarray, gradients: np.ndarray, nesterov: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Momentum 0.9 with the rates of Rising: weight and velocity at the end."""
    v = np.zeros_like(w)
    for i, g in enumerate(gradients):
        v = 0.9 * v + g
        w = w - 0.1 * (i + 1) * (g + 0.9 * v if nesterov else v)
    return w, v


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_several_updates(transform: Callable, nesterov: bool) -> None:
    """Oracle: the formula in float64, the rates those of updates 0, 1, ..."""
    optimizer = trained(transform, nesterov)
    for i, start in enumerate(START):
        w, v = numpy_momentum(start, GRADIENTS[i], nesterov)
        np.testing.assert_allclose(optimizer.parameters[i].asnumpy(), w, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(optimizer.moments[i].asnumpy(), v, rtol=1e-5, atol=1e-6)


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    states = [trained(transform).get_parameters() for transform in (ms.jit, eager)]
    for got, expected in zip(*states):
        np.testing.assert_array_equal(got.asnumpy(), expected.asnumpy())


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_counts_updates(transform: Callable) -> None:
    """Oracle: the number of updates made."""
    assert trained(transform).global_step.asnumpy().tolist() == [UPDATES]


@pytest.mark.parametrize("nesterov, expected", [(False, -1.25), (True, -1.875)])
def test_two_updates(nesterov: bool, expected: float) -> None:
    """By hand: v = 2, then 0.5 * 2 + 4 = 5; 0.5 - 0.25 * (2 + 5), Nesterov (3 + 6.5)."""
    (w,) = parameters([0.5])
    optimizer = Momentum([w], 0.25, momentum=0.5, nesterov=nesterov)
    for gradient in (2.0, 4.0):
        optimizer((Tensor([gradient], ms.float32),))
    assert w.asnumpy().tolist() == [expected]
    assert optimizer.moments[0].asnumpy().tolist() == [5.0]


@pytest.mark.parametrize("nesterov", [False, True])
def test_equals_mindspore(nesterov: bool) -> None:
    """Oracle: ``nn.SGD`` with momentum."""
    theirs = nn.SGD(parameters(*START), Rising(), momentum=0.9, nesterov=nesterov)
    updated(theirs, eager)
    for got, expected in zip(trained(eager, nesterov).parameters, theirs.parameters):
        np.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


def test_zero_gradient_coasts() -> None:
    """By hand: after a gradient of 2, two of 0 at momentum 0.5: -0.25 * (2 + 1 + 0.5)."""
    (w,) = parameters([0.0, 0.0])
    optimizer = Momentum([w], 0.25, momentum=0.5)
    for gradient in (2.0, 0.0, 0.0):
        optimizer((Tensor([gradient, 0.0], ms.float32),))
    assert w.asnumpy().tolist() == [-0.875, 0.0]


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_float16_weights(transform: Callable, nesterov: bool) -> None:
    """Oracle: the formula in float64; velocity in float32, the weight rounded each time."""
    (w,) = parameters(START[0], dtype=ms.float16)
    optimizer = Momentum([w], 0.01, nesterov=nesterov)

    def update(gradient):
        return optimizer((gradient,))

    update = transform(update)
    expected, v = START[0].astype(np.float16), np.zeros((3, 4))
    for g in GRADIENTS[0]:
        update(Tensor(g, ms.float32))
        v = 0.9 * v + g
        step = g + 0.9 * v if nesterov else v
        expected = (expected - 0.01 * step).astype(np.float16)
    assert w.dtype == ms.float16
    np.testing.assert_allclose(w.asnumpy(), expected, rtol=1e-3)
    assert optimizer.moments[0].dtype == ms.float32
    np.testing.assert_allclose(optimizer.moments[0].asnumpy(), v, rtol=1e-5, atol=1e-6)


def test_state_has_the_weights_names() -> None:
    """Oracle: the names that a checkpoint is read by; each occurs once."""
    optimizer = Momentum(parameters(*START), 0.1)
    names = [parameter.name for parameter in optimizer.get_parameters()]
    assert sorted(names) == [
        "global_step",
        "learning_rate",
        "moments.w0",
        "moments.w1",
        "w0",
        "w1",
    ]


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_a_group_may_have_its_own_rate(transform: Callable) -> None:
    """By hand: 1 - 0.5 * 2 in a group of rate 0.5, and 1 - 0.1 * 2 in the other."""
    body, head = parameters([1.0], [1.0])
    optimizer = Momentum([{"params": [body], "lr": 0.5}, {"params": [head]}], Rising())

    def update(*gradients):
        return optimizer(gradients)

    transform(update)(Tensor([2.0], ms.float32), Tensor([2.0], ms.float32))
    np.testing.assert_allclose([*body.asnumpy(), *head.asnumpy()], [0.0, 0.8], atol=1e-6)
