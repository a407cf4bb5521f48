"""The loss of REINFORCE with a baseline against plain NumPy."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor
from numpy.typing import ArrayLike

from package.loss import Reinforce

RNG = np.random.default_rng(0)
LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET = RNG.normal(size=(5, 60))
ENTROPY = RNG.uniform(0, 2, size=60)
ROWS = [np.float32(x) for x in (LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY)]


@pytest.fixture(autouse=True)
def eager() -> None:
    """Run eagerly, whatever mode another test has left."""
    ms.set_context(mode=ms.PYNATIVE_MODE)


def tensors(*rows: ArrayLike) -> list[Tensor]:
    return [Tensor(np.asarray(row, np.float32)) for row in rows]


def formula(log_prob, old, advantage, value, target, entropy) -> np.ndarray:
    """The loss of each row."""
    return -log_prob * advantage + 0.7 * (value - target) ** 2 / 2 - 0.05 * entropy


def test_by_hand() -> None:
    """By hand: probability 1/2, advantage 3: 3 log 2 + 0.5 * (1 - 3)^2 / 2 - 0.01 * 0.7."""
    loss = Reinforce()(*tensors([np.log(0.5)], [0], [3], [1], [3], [0.7]))
    assert float(loss) == pytest.approx(3 * np.log(2) + 1 - 0.007, rel=1e-6)


def test_gradient() -> None:
    """By hand in NumPy: minus the advantage, the error of the value, and the entropy's weight."""
    slopes = -ADVANTAGE / 60, 0.7 * (VALUE - TARGET) / 60, np.full(60, -0.05 / 60)
    gradients = ms.grad(Reinforce(0.7, 0.05), (0, 3, 5))(*tensors(*ROWS))
    for gradient, slope in zip(gradients, slopes):
        np.testing.assert_allclose(gradient.asnumpy(), slope, rtol=1e-4, atol=1e-7)


def test_value() -> None:
    """The formula in float64 NumPy, one number a row."""
    loss = Reinforce(0.7, 0.05, reduction="none")(*tensors(*ROWS))
    expected = formula(LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY)
    np.testing.assert_allclose(loss.asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over the rows: a scalar."""
    loss = Reinforce(0.7, 0.05, reduction=reduction)(*tensors(*ROWS))
    expected = getattr(np, reduction)(formula(LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(expected, rel=1e-4)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(Reinforce(0.7, 0.05), (0, 3, 5))
    eager_value, eager_gradients = grad_fn(*tensors(*ROWS))
    value, gradients = ms.jit(grad_fn)(*tensors(*ROWS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    for gradient, expected in zip(gradients, eager_gradients):
        np.testing.assert_allclose(gradient.asnumpy(), expected.asnumpy(), rtol=1e-6)


def test_float16() -> None:
    """By hand: value 0 and target 300 give 0.5 * 300^2 / 2 = 22 500, float16 or not."""
    zero = Tensor(np.zeros(2, np.float16))
    loss = Reinforce()(zero, zero, zero, zero, Tensor(np.full(2, 300, np.float16)), zero)
    assert float(loss) == pytest.approx(22500)


@pytest.mark.parametrize("argument", range(6))
def test_shapes_that_differ_are_refused(argument: int, tmp_path: Path, monkeypatch) -> None:
    """ValueError, where NumPy would broadcast a column and a row to (60, 60)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    rows = tensors(*ROWS)
    rows[argument] = rows[argument].reshape((60, 1))
    with pytest.raises(ValueError, match="must agree in shape"):
        Reinforce()(*rows)
