"""SGD against plain NumPy and numbers worked by hand."""

from collections.abc import Callable
from functools import cache

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn
from updates import GRADIENTS, START, UPDATES, Rising, eager, updated
from weights import parameters

from package.optimizer import SGD


@cache
def trained(transform: Callable) -> nn.Optimizer:
    """Return an optimizer after UPDATES updates."""
    return updated(SGD(parameters(*START), Rising()), transform)


def numpy_sgd(w: np.ndarray, gradients: np.ndarray) -> np.ndarray:
    """Gradient descent with the rates of Rising: the weight at the end."""
    for i, g in enumerate(gradients):
        w = w - 0.1 * (i + 1) * g
    return w


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_several_updates(transform: Callable) -> None:
    """Oracle: the formula in float64, the rates those of updates 0, 1, ..."""
    optimizer = trained(transform)
    for i, start in enumerate(START):
        w = numpy_sgd(start, GRADIENTS[i])
        np.testing.assert_allclose(optimizer.parameters[i].asnumpy(), w, rtol=1e-5, atol=1e-6)


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    states = [trained(transform).get_parameters() for transform in (ms.jit, eager)]
    for got, expected in zip(*states):
        np.testing.assert_array_equal(got.asnumpy(), expected.asnumpy())


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_counts_updates(transform: Callable) -> None:
    """Oracle: the number of updates made."""
    assert trained(transform).global_step.asnumpy().tolist() == [UPDATES]


def test_one_update() -> None:
    """By hand: 1 - 0.25 * 2 and -3 - 0.25 * -4."""
    (w,) = parameters([1.0, -3.0])
    SGD([w], 0.25)((Tensor([2.0, -4.0], ms.float32),))
    assert w.asnumpy().tolist() == [0.5, -2.0]


def test_equals_mindspore() -> None:
    """Oracle: ``nn.SGD``."""
    theirs = updated(nn.SGD(parameters(*START), Rising()), eager)
    for got, expected in zip(trained(eager).parameters, theirs.parameters):
        np.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


def test_zero_gradient_moves_nothing() -> None:
    """Oracle: the bits before."""
    (w,) = parameters(START[0])
    before = w.asnumpy().copy()
    SGD([w], 0.1)((Tensor(np.zeros((3, 4)), ms.float32),))
    np.testing.assert_array_equal(w.asnumpy(), before)


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_float16_weights(transform: Callable) -> None:
    """By hand: 1 - 1e-8 * 6e4, rounded once; the rate alone has no place in float16."""
    (w,) = parameters([1.0], dtype=ms.float16)
    optimizer = SGD([w], 1e-8)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([6e4], ms.float16))
    assert w.dtype == ms.float16
    assert w.asnumpy() == np.float16(1 - 6e-4)


def test_holds_no_state_beside_the_weights() -> None:
    """Oracle: the names that a checkpoint is read by."""
    optimizer = SGD(parameters(*START), 0.1)
    names = [parameter.name for parameter in optimizer.get_parameters()]
    assert sorted(names) == ["global_step", "learning_rate", "w0", "w1"]


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_a_group_may_have_its_own_rate(transform: Callable) -> None:
    """By hand: 1 - 0.5 * 2 in a group of rate 0.5, and 1 - 0.1 * 2 in the other."""
    body, head = parameters([1.0], [1.0])
    optimizer = SGD([{"params": [body], "lr": 0.5}, {"params": [head]}], Rising())

    def update(*gradients):
        return optimizer(gradients)

    transform(update)(Tensor([2.0], ms.float32), Tensor([2.0], ms.float32))
    np.testing.assert_allclose([*body.asnumpy(), *head.asnumpy()], [0.0, 0.8], atol=1e-6)
