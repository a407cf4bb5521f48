"""The log-cosh loss against plain NumPy."""

import math
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.loss import LogCosh

pytestmark = pytest.mark.usefixtures("eager")

SIZES = np.geomspace(1e-5, 1e4, 40)
LABELS = np.random.default_rng(0).normal(size=(40, 2)).astype(np.float32)
LOGITS = np.stack([LABELS[:, 0] + SIZES, LABELS[:, 1] - SIZES], axis=1).astype(np.float32)
RESIDUALS = LOGITS.astype(np.float64) - LABELS


def formula(r: np.ndarray) -> np.ndarray:
    """Logarithm of cosh, in a form that neither cancels nor overflows."""
    return np.where(
        np.abs(r) < 0.1,
        r**2 / 2 - r**4 / 12 + r**6 / 45 - 17 * r**8 / 2520,
        np.logaddexp(r, -r) - np.log(2),
    )


def slope(r: np.ndarray) -> np.ndarray:
    """Derivative of the logarithm of cosh."""
    return np.tanh(r)


def test_by_hand() -> None:
    """By hand: cosh(log 2) = (2 + 1/2) / 2, so residuals log 2 and -log 2 give log 1.25."""
    logits = np.array([[np.log(2)], [-np.log(2)]], np.float32)
    loss = LogCosh()(Tensor(logits), Tensor(np.zeros((2, 1), np.float32)))
    assert float(loss) == pytest.approx(np.log(1.25))


def test_value() -> None:
    """The formula in float64 NumPy, residuals from 1e-5 to 1e4 of both signs, in their shape."""
    loss = LogCosh("none")(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(loss, formula(RESIDUALS), rtol=1e-5)


def test_gradient() -> None:
    """The derivative by hand in float64 NumPy, divided by the number of entries."""
    gradient = ms.grad(LogCosh())(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(gradient, slope(RESIDUALS) / RESIDUALS.size, rtol=1e-3)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over all entries: a scalar."""
    loss = LogCosh(reduction=reduction)(Tensor(LOGITS), Tensor(LABELS))
    expected = getattr(np, reduction)(formula(RESIDUALS))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(expected, rel=1e-5)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(LogCosh())
    eager_value, eager_gradient = grad_fn(Tensor(LOGITS), Tensor(LABELS))
    value, gradient = ms.jit(grad_fn)(Tensor(LOGITS), Tensor(LABELS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), eager_gradient.asnumpy(), rtol=1e-6)


def test_float16() -> None:
    """By hand: prediction 0 and label 300 give 300 - log 2, float16 or not."""
    logits, labels = np.zeros((2, 1), np.float16), np.full((2, 1), 300, np.float16)
    loss = LogCosh()(Tensor(logits), Tensor(labels))
    assert float(loss) == pytest.approx(300 - np.log(2))


def test_joint() -> None:
    """Python's math: the two branches that meet at 1 give log cosh 1 and tanh 1 there."""
    logits, labels = Tensor(np.ones((1, 1), np.float32)), Tensor(np.zeros((1, 1), np.float32))
    value, gradient = ms.value_and_grad(LogCosh())(logits, labels)
    assert float(value) == pytest.approx(math.log(math.cosh(1)))
    assert float(gradient) == pytest.approx(math.tanh(1))


def test_shapes_that_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError with both shapes, eager and compiled, where NumPy would broadcast to (3, 3)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    logits, labels = Tensor(np.zeros((3, 1), np.float32)), Tensor(np.zeros(3, np.float32))
    for loss_fn in (LogCosh(), ms.jit(LogCosh())):
        with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,?\)"):
            loss_fn(logits, labels)


def test_a_nan_reaches_its_entry() -> None:
    """Oracle: the other entry alone is finite."""
    logits = Tensor([[float("nan")], [1.0]])
    loss = LogCosh("none")(logits, Tensor([[0.0], [0.0]])).asnumpy()
    assert np.isfinite(loss).ravel().tolist() == [False, True]
