"""Lion against plain NumPy and numbers worked by hand."""

from collections.abc import Callable
from functools import cache

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from updates import GRADIENTS, START, UPDATES, Rising, eager, updated
from weights import Weights

from package.optimizer import Lion


@cache
def trained(transform: Callable) -> nn.Optimizer:
    """Return an optimizer after UPDATES updates."""
    return updated(Lion(Weights(*START), Rising()), transform)


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
        np.testing.assert_allclose(optimizer.moments[i].asnumpy(), m, rtol=1e-5, atol=1e-7)


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
    network = Weights([[1.0], [1.0]])
    (w,) = network.trainable_params()
    optimizer = Lion(network, 0.1, beta1=0.9, beta2=0.99, weight_decay=0.1)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[-0.001], [-0.001]], ms.float32))
    np.testing.assert_allclose(w.asnumpy(), [[1.09]] * 2, rtol=1e-6)
    np.testing.assert_allclose(optimizer.moments[0].asnumpy(), [[-1e-5]] * 2, rtol=1e-6)


def test_zero_gradient_and_momentum_leave_the_decay() -> None:
    """By hand: a dense layer's weight becomes 1 - 0.1 * 0.1; a bias and a row of its own stay."""
    network = nn.SequentialCell(nn.Dense(1, 1, "ones", "ones"), Weights([[1.0, -2.0]]))
    optimizer = Lion(network, 0.1, weight_decay=0.1)
    optimizer(tuple(ops.zeros_like(w) for w in optimizer.parameters))
    weights = [w.asnumpy().tolist() for w in optimizer.parameters]
    assert weights == [[[pytest.approx(0.99)]], [1.0], [[1.0, -2.0]]]


@pytest.mark.parametrize("gradient", [float("nan"), float("inf")])
def test_what_is_not_finite_reaches_the_weight(gradient: float) -> None:
    """Oracle: the contract. The sign of a NaN is 0 on a CPU: the weight would stand still."""
    network = Weights([1.0, 1.0])
    (w,) = network.trainable_params()
    Lion(network, 0.1)((Tensor([gradient, 0.0], ms.float32),))
    assert np.isnan(w.asnumpy()).tolist() == [True, False]


def test_direction_weighs_momentum_and_gradient() -> None:
    """By hand: after g = 1, m = 0.5; with g = -0.5 and -2, 0.75 m + 0.25 g is 0.25 and -0.125."""
    network = Weights([0.0, 0.0])
    (w,) = network.trainable_params()
    optimizer = Lion(network, 0.25, beta1=0.75, beta2=0.5)
    optimizer((Tensor([1.0, 1.0], ms.float32),))
    optimizer((Tensor([-0.5, -2.0], ms.float32),))
    assert w.asnumpy().tolist() == [-0.5, 0.0]


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_float16_weights(transform: Callable) -> None:
    """By hand: 1 - 0.125 * (1 + 0.5 * 1); the momentum 0.01 * 1e-6 has no place in float16."""
    network = Weights([[1.0], [1.0]], dtype=ms.float16)
    (w,) = network.trainable_params()
    optimizer = Lion(network, 0.125, weight_decay=0.5)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[1e-6], [1e-6]], ms.float32))
    assert w.dtype == ms.float16
    assert w.asnumpy().tolist() == [[0.8125]] * 2
    assert optimizer.moments[0].dtype == ms.float32
    np.testing.assert_allclose(optimizer.moments[0].asnumpy(), [[1e-8]] * 2, rtol=1e-5)


def test_state_has_the_weights_names() -> None:
    """Oracle: the names that a checkpoint is read by; each occurs once."""
    optimizer = Lion(Weights(*START), 0.1)
    names = [parameter.name for parameter in optimizer.get_parameters()]
    assert sorted(names) == [
        "global_step",
        "learning_rate",
        "moments.w0",
        "moments.w1",
        "w0",
        "w1",
    ]
