"""AdamW against plain NumPy and numbers worked by hand."""

from collections.abc import Callable
from functools import cache

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from updates import GRADIENTS, START, UPDATES, Rising, eager, updated
from weights import Weights

from package.optimizer import AdamW


@cache
def trained(transform: Callable) -> nn.Optimizer:
    """Return an optimizer after UPDATES updates."""
    return updated(AdamW(Weights(*START), Rising()), transform)


def numpy_adamw(w: np.ndarray, gradients: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """AdamW with the rates of Rising: weight, mean and mean square at the end."""
    decay = 0.01 if w.ndim > 1 else 0.0
    m, v = np.zeros_like(w), np.zeros_like(w)
    for i, g in enumerate(gradients):
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        mean, square = m / (1 - 0.9 ** (i + 1)), v / (1 - 0.999 ** (i + 1))
        w = w - 0.1 * (i + 1) * (mean / (np.sqrt(square) + 1e-8) + decay * w)
    return w, m, v


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_several_updates(transform: Callable) -> None:
    """Oracle: the formula in float64, the rates those of updates 0, 1, ..."""
    optimizer = trained(transform)
    for i, start in enumerate(START):
        w, m, v = numpy_adamw(start, GRADIENTS[i])
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


@pytest.mark.parametrize("transform", [eager, ms.jit])
@pytest.mark.parametrize("rate, expected", [(1e-3, 0.9999), (0.0, 1.0)])
def test_decay_alone(transform: Callable, rate: float, expected: float) -> None:
    """By hand: without a gradient a weight loses rate * decay of itself, 1e-3 * 0.1 here."""
    network = Weights([[1.0], [1.0]])
    (w,) = network.trainable_params()
    optimizer = AdamW(network, rate, weight_decay=0.1)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[0.0], [0.0]], ms.float32))
    np.testing.assert_allclose(w.asnumpy(), [[expected], [expected]], rtol=1e-7)


def test_what_has_no_units_does_not_decay() -> None:
    """By hand: a dense layer's weight loses 0.1 * 0.5 of itself; a bias and a lone row stay."""
    network = nn.SequentialCell(nn.Dense(1, 1, "ones", "ones"), Weights([[1.0, -2.0]]))
    optimizer = AdamW(network, 0.1, weight_decay=0.5)
    optimizer(tuple(ops.zeros_like(w) for w in optimizer.parameters))
    weights = [w.asnumpy().tolist() for w in optimizer.parameters]
    assert weights == [[[pytest.approx(0.95)]], [1.0], [[1.0, -2.0]]]


def test_decay_stays_out_of_the_moments() -> None:
    """By hand: the moments of a zero gradient are 0 though the weight decays (L2 would leave w)."""
    optimizer = AdamW(Weights([[1.0], [1.0]]), 0.1, weight_decay=0.5)
    optimizer((Tensor([[0.0], [0.0]], ms.float32),))
    assert not optimizer.moment1[0].asnumpy().any() and not optimizer.moment2[0].asnumpy().any()


def test_decay_of_float16_weights() -> None:
    """By hand: 1 - 0.25 * 0.5."""
    network = Weights([[1.0], [1.0]], dtype=ms.float16)
    (w,) = network.trainable_params()
    AdamW(network, 0.25, weight_decay=0.5)((Tensor([[0.0], [0.0]], ms.float16),))
    assert w.dtype == ms.float16
    assert w.asnumpy().tolist() == [[0.875], [0.875]]


def test_epsilon_joins_the_corrected_root() -> None:
    """By hand: m = 0.05 / 0.1 = 0.5, root of v = sqrt(0.00025 / 0.001) = 0.5; 1 - 0.1 * 0.5 / 1."""
    network = Weights([1.0])
    (w,) = network.trainable_params()
    AdamW(network, 0.1, epsilon=0.5)((Tensor([0.5], ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), [0.95], rtol=1e-6)


def test_betas() -> None:
    """By hand: m = 0.5 * 2, then 0.5 * 1 + 0.5 * 4; v = 0.25 * 4, then 0.75 * 1 + 0.25 * 16."""
    optimizer = AdamW(Weights([1.0]), 0.1, beta1=0.5, beta2=0.75)
    for gradient in (2.0, 4.0):
        optimizer((Tensor([gradient], ms.float32),))
    np.testing.assert_allclose(optimizer.moment1[0].asnumpy(), [2.5], rtol=1e-6)
    np.testing.assert_allclose(optimizer.moment2[0].asnumpy(), [4.75], rtol=1e-6)


def test_late_correction() -> None:
    """By hand: under a steady gradient every update moves the weight by the rate, also the 50th."""
    network = Weights([0.0])
    (w,) = network.trainable_params()
    optimizer = AdamW(network, 1.0)
    for _ in range(50):
        optimizer((Tensor([1e-3], ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), [-50.0], rtol=1e-4)


@pytest.mark.parametrize("dtype", [ms.float32, ms.float16])
def test_zero_gradient_moves_nothing(dtype: ms.Type) -> None:
    """Oracle: a row whose gradient is always 0 keeps its bits while the other row moves."""
    network = Weights(START[0][:2], dtype=dtype)
    (w,) = network.trainable_params()
    before = w.asnumpy().copy()
    optimizer = AdamW(network, 0.1, weight_decay=0.0)
    for _ in range(3):
        optimizer((Tensor([[0, 0, 0, 0], [1, -1, 1, -1]], dtype),))
    np.testing.assert_array_equal(w.asnumpy()[0], before[0])
    assert (np.abs(w.asnumpy()[1] - before[1]) > 0.29).all()


@pytest.mark.parametrize("transform", [eager, ms.jit])
def test_float16_weights(transform: Callable) -> None:
    """By hand: a first update moves by the rate; moments 0.1 g and 0.001 g^2 are float32.

    The mean square of the second row, 1e-9, has no place in float16.
    """
    network = Weights([[1.0], [1.0]], dtype=ms.float16)
    (w,) = network.trainable_params()
    optimizer = AdamW(network, 0.125, weight_decay=0.0)

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
    optimizer = AdamW(Weights(*START), 0.1)
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
