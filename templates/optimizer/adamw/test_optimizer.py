"""AdamW against plain NumPy and numbers worked by hand."""

from collections.abc import Callable
from functools import cache

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

from package.optimizer import AdamW

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
    return run(AdamW(parameters(*START), Rising()), transform)


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
        np.testing.assert_allclose(optimizer.mean[i].asnumpy(), m, rtol=1e-5)
        # the kernel's 1 - beta2 is off by 1.3e-5 in float32
        np.testing.assert_allclose(optimizer.square[i].asnumpy(), v, rtol=2e-5)


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
    (w,) = parameters([[1.0]])
    optimizer = AdamW([w], rate, weight_decay=0.1)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[0.0]], ms.float32))
    np.testing.assert_allclose(w.asnumpy(), [[expected]], rtol=1e-7)


def test_one_dimension_does_not_decay() -> None:
    """By hand: a bias without a gradient stays, at any decay."""
    (w,) = parameters([1.0, -2.0])
    AdamW([w], 0.1, weight_decay=0.5)((Tensor([0.0, 0.0], ms.float32),))
    assert w.asnumpy().tolist() == [1.0, -2.0]


def test_decay_stays_out_of_the_moments() -> None:
    """By hand: the moments of a zero gradient are 0 though the weight decays (L2 would leave w)."""
    optimizer = AdamW(parameters([[1.0]]), 0.1, weight_decay=0.5)
    optimizer((Tensor([[0.0]], ms.float32),))
    assert optimizer.mean[0].asnumpy() == optimizer.square[0].asnumpy() == 0


def test_decay_of_float16_weights() -> None:
    """By hand: 1 - 0.25 * 0.5."""
    (w,) = parameters([[1.0]], dtype=ms.float16)
    AdamW([w], 0.25, weight_decay=0.5)((Tensor([[0.0]], ms.float16),))
    assert w.dtype == ms.float16
    assert w.asnumpy().tolist() == [[0.875]]


def test_epsilon_joins_the_corrected_root() -> None:
    """By hand: m = 0.05 / 0.1 = 0.5, root of v = sqrt(0.00025 / 0.001) = 0.5; 1 - 0.1 * 0.5 / 1."""
    (w,) = parameters([1.0])
    AdamW([w], 0.1, epsilon=0.5)((Tensor([0.5], ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), [0.95], rtol=1e-6)


def test_betas() -> None:
    """By hand: m = 0.5 * 2, then 0.5 * 1 + 0.5 * 4; v = 0.25 * 4, then 0.75 * 1 + 0.25 * 16."""
    optimizer = AdamW(parameters([1.0]), 0.1, beta1=0.5, beta2=0.75)
    for gradient in (2.0, 4.0):
        optimizer((Tensor([gradient], ms.float32),))
    np.testing.assert_allclose(optimizer.mean[0].asnumpy(), [2.5], rtol=1e-6)
    np.testing.assert_allclose(optimizer.square[0].asnumpy(), [4.75], rtol=1e-6)


def test_late_correction() -> None:
    """By hand: under a steady gradient every update moves the weight by the rate, also the 50th."""
    (w,) = parameters([0.0])
    optimizer = AdamW([w], 1.0)
    for _ in range(50):
        optimizer((Tensor([1e-3], ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), [-50.0], rtol=1e-4)


@pytest.mark.parametrize("dtype", [ms.float32, ms.float16])
def test_zero_gradient_moves_nothing(dtype: ms.Type) -> None:
    """Oracle: a row whose gradient is always 0 keeps its bits while the other row moves."""
    (w,) = parameters(START[0][:2], dtype=dtype)
    before = w.asnumpy().copy()
    optimizer = AdamW([w], 0.1, weight_decay=0.0)
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
    optimizer = AdamW([w], 0.125, weight_decay=0.0)

    def update(gradient):
        return optimizer((gradient,))

    transform(update)(Tensor([[0.5], [1e-3]], ms.float16))
    assert w.dtype == ms.float16
    assert w.asnumpy().tolist() == [[0.875], [0.875]]
    assert optimizer.mean[0].dtype == optimizer.square[0].dtype == ms.float32
    np.testing.assert_allclose(optimizer.mean[0].asnumpy(), [[0.05], [1e-4]], rtol=1e-3)
    np.testing.assert_allclose(optimizer.square[0].asnumpy(), [[2.5e-4], [1e-9]], rtol=2e-3)


def test_state_has_the_weights_names() -> None:
    """Oracle: the names that a checkpoint is read by; each occurs once."""
    optimizer = AdamW(parameters(*START), 0.1)
    names = [parameter.name for parameter in optimizer.get_parameters()]
    assert sorted(names) == [
        "global_step",
        "learning_rate",
        "mean.w0",
        "mean.w1",
        "square.w0",
        "square.w1",
        "w0",
        "w1",
    ]
