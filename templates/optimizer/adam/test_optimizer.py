"""Adam against plain NumPy and numbers worked by hand."""

from collections.abc import Callable
from functools import cache

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn
from updates import GRADIENTS, START, UPDATES, Rising, eager, updated
from weights import parameters

from package.optimizer import Adam


@cache
def trained(transform: Callable) -> nn.Optimizer:
    """Return an optimizer after UPDATES updates."""
    return updated(Adam(parameters(*START), Rising()), transform)


def numpy_adam(w: np.ndarray, gradients: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Adam with its defaults and the rates of Rising: weight, mean and mean square at the end."""
    m, v = np.zeros_like(w), np.zeros_like(w)
    for i, g in enumerate(gradients):
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        mean, square = m / (1 - 0.9 ** (i + 1)), v / (1 - 0.999 ** (i + 1))
        w = w - 0.1 * (i + 1) * mean / (np.sqrt(square) + 1e-8)
    return w, m, v


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_several_updates(transform: Callable) -> None:
    """Oracle: the formula in float64, the rates those of updates 0, 1, ..."""
    optimizer = trained(transform)
    for i, start in enumerate(START):
        w, m, v = numpy_adam(start, GRADIENTS[i])
        np.testing.assert_allclose(optimizer.parameters[i].asnumpy(), w, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(optimizer.moment1[i].asnumpy(), m, rtol=1e-5)
        # the kernel's 1 - beta2 is off by 1.3e-5 in float32
        np.testing.assert_allclose(optimizer.moment2[i].asnumpy(), v, rtol=2e-5)


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    states = [trained(transform).get_parameters() for transform in (ms.jit, eager)]
    for got, expected in zip(*states):
        np.testing.assert_array_equal(got.asnumpy(), expected.asnumpy())


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_counts_updates(transform: Callable) -> None:
    """Oracle: the number of updates made."""
    assert trained(transform).global_step.asnumpy().tolist() == [UPDATES]


def test_epsilon_joins_the_corrected_root() -> None:
    """By hand: m = 0.05 / 0.1 = 0.5, root of v = sqrt(0.00025 / 0.001) = 0.5; 1 - 0.1 * 0.5 / 1."""
    (w,) = parameters([1.0])
    Adam([w], 0.1, epsilon=0.5)((Tensor([0.5], ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), [0.95], rtol=1e-6)


def test_betas() -> None:
    """By hand: m = 0.5 * 2, then 0.5 * 1 + 0.5 * 4; v = 0.25 * 4, then 0.75 * 1 + 0.25 * 16."""
    optimizer = Adam(parameters([1.0]), 0.1, beta1=0.5, beta2=0.75)
    for gradient in (2.0, 4.0):
        optimizer((Tensor([gradient], ms.float32),))
    np.testing.assert_allclose(optimizer.moment1[0].asnumpy(), [2.5], rtol=1e-6)
    np.testing.assert_allclose(optimizer.moment2[0].asnumpy(), [4.75], rtol=1e-6)


def test_late_correction() -> None:
    """By hand: under a steady gradient every update moves the weight by the rate, also the 50th."""
    (w,) = parameters([0.0])
    optimizer = Adam([w], 1.0)
    for _ in range(50):
        optimizer((Tensor([1e-3], ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), [-50.0], rtol=1e-4)


@pytest.mark.parametrize("dtype", [ms.float32, ms.float16])
def test_zero_gradient_moves_nothing(dtype: ms.Type) -> None:
    """Oracle: a row whose gradient is always 0 keeps its bits while the other row moves."""
    (w,) = parameters(START[0][:2], dtype=dtype)
    before = w.asnumpy().copy()
    optimizer = Adam([w], 0.1)
    for _ in range(3):
        optimizer((Tensor([[0, 0, 0, 0], [1, -1, 1, -1]], dtype),))
    np.testing.assert_array_equal(w.asnumpy()[0], before[0])
    assert (np.abs(w.asnumpy()[1] - before[1]) > 0.29).all()


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_float16_weights(transform: Callable) -> None:
    """By hand: a first update moves by the rate; moments 0.1 g and 0.001 g^2 are float32.

    The mean square of the second row, 1e-9, has no place in float16.
    """
    (w,) = parameters([[1.0], [1.0]], dtype=ms.float16)
    optimizer = Adam([w], 0.125)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[0.5], [1e-3]], ms.float16))
    assert w.dtype == ms.float16
    assert w.asnumpy().tolist() == [[0.875], [0.875]]
    assert optimizer.moment1[0].dtype == optimizer.moment2[0].dtype == ms.float32
    np.testing.assert_allclose(optimizer.moment1[0].asnumpy(), [[0.05], [1e-4]], rtol=1e-3)
    np.testing.assert_allclose(optimizer.moment2[0].asnumpy(), [[2.5e-4], [1e-9]], rtol=2e-3)


def test_state_has_the_weights_names() -> None:
    """Oracle: the names that a checkpoint is read by; each occurs once."""
    optimizer = Adam(parameters(*START), 0.1)
    names = [parameter.name for parameter in optimizer.get_parameters()]
    assert sorted(names) == [
        "global_step",
        "learning_rate",
        "moment1.w0",
        "moment1.w1",
        "moment2.w0",
        "moment2.w1",
        "w0",
        "w1",
    ]


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_a_group_may_have_its_own_rate(transform: Callable) -> None:
    """By hand: a first update moves by the rate, 0.5 in its group and 0.1 in the other."""
    body, head = parameters([1.0], [1.0])
    optimizer = Adam([{"params": [body], "lr": 0.5}, {"params": [head]}], Rising())

    def update(*gradients):
        return optimizer(gradients)

    transform(update)(Tensor([2.0], ms.float32), Tensor([2.0], ms.float32))
    np.testing.assert_allclose([*body.asnumpy(), *head.asnumpy()], [0.5, 0.9], atol=1e-6)
