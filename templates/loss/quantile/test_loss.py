"""The pinball loss against plain NumPy."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.loss import Quantile

pytestmark = pytest.mark.usefixtures("eager")

SIZES = np.geomspace(1e-5, 1e4, 40)
LABELS = np.random.default_rng(0).normal(size=(40, 2)).astype(np.float32)
LOGITS = np.stack([LABELS[:, 0] + SIZES, LABELS[:, 1] - SIZES], axis=1).astype(np.float32)
RESIDUALS = LOGITS.astype(np.float64) - LABELS


def formula(r: np.ndarray) -> np.ndarray:
    """Pinball loss at level 0.9 of residuals prediction - label."""
    return np.where(r < 0, 0.9 * -r, 0.1 * r)


def slope(r: np.ndarray) -> np.ndarray:
    """Derivative by the prediction."""
    return np.where(r < 0, -0.9, 0.1)


def test_by_hand() -> None:
    """By hand, level 0.75: 4 too low costs 3, 2 too high costs 1/2, mean 1.75."""
    logits, labels = np.array([[1], [7]], np.float32), np.array([[5], [5]], np.float32)
    assert float(Quantile(0.75)(Tensor(logits), Tensor(labels))) == 1.75


def test_value() -> None:
    """The formula in float64 NumPy, residuals from 1e-5 to 1e4 of both signs, in their shape."""
    loss = Quantile(0.9, reduction="none")(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(loss, formula(RESIDUALS), rtol=1e-5)


def test_gradient() -> None:
    """The derivative by hand in float64 NumPy, divided by the number of entries."""
    gradient = ms.grad(Quantile(0.9))(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(gradient, slope(RESIDUALS) / RESIDUALS.size, rtol=1e-3)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over all entries: a scalar."""
    loss = Quantile(0.9, reduction=reduction)(Tensor(LOGITS), Tensor(LABELS))
    expected = getattr(np, reduction)(formula(RESIDUALS))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(expected, rel=1e-5)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(Quantile(0.9))
    eager_value, eager_gradient = grad_fn(Tensor(LOGITS), Tensor(LABELS))
    value, gradient = ms.jit(grad_fn)(Tensor(LOGITS), Tensor(LABELS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), eager_gradient.asnumpy(), rtol=1e-6)


def test_float16() -> None:
    """By hand: prediction 0 and label 299 give 0.9 * 299 = 269.1, float16 or not."""
    logits, labels = np.zeros((2, 1), np.float16), np.full((2, 1), 299, np.float16)
    loss = Quantile(0.9)(Tensor(logits), Tensor(labels))
    assert float(loss) == pytest.approx(269.1)


def test_median_is_half_the_absolute_error() -> None:
    """By hand: the default level gives residuals 3 and -1 losses 1.5 and 0.5."""
    logits, labels = np.array([[3], [-1]], np.float32), np.zeros((2, 1), np.float32)
    loss = Quantile(reduction="none")(Tensor(logits), Tensor(labels))
    np.testing.assert_array_equal(loss.asnumpy(), [[1.5], [0.5]])


def test_best_constant_is_the_quantile() -> None:
    """NumPy: of the integers the one with the least loss is the 0.9 quantile of 0, ..., 10."""
    labels = np.arange(11, dtype=np.float32).reshape(11, 1)
    losses = [Quantile(0.9)(Tensor(np.full_like(labels, c)), Tensor(labels)) for c in range(11)]
    assert np.argmin([float(loss) for loss in losses]) == np.quantile(labels, 0.9)


def test_shapes_that_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError with both shapes, eager and compiled, where NumPy would broadcast to (3, 3)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    logits, labels = Tensor(np.zeros((3, 1), np.float32)), Tensor(np.zeros(3, np.float32))
    for loss_fn in (Quantile(0.9), ms.jit(Quantile(0.9))):
        with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,?\)"):
            loss_fn(logits, labels)


def test_a_nan_reaches_its_entry() -> None:
    """Oracle: the other entry alone is finite."""
    logits = Tensor([[float("nan")], [1.0]])
    loss = Quantile(reduction="none")(logits, Tensor([[0.0], [0.0]])).asnumpy()
    assert np.isfinite(loss).ravel().tolist() == [False, True]
