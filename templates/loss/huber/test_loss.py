"""The Huber loss against plain NumPy."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.build import create_loss
from package.config import Config
from package.engine.rows import Dataset, Split
from package.loss import Huber

pytestmark = pytest.mark.usefixtures("eager")

SIZES = np.geomspace(1e-5, 1e4, 40)
LABELS = np.random.default_rng(0).normal(size=(40, 2)).astype(np.float32)
LOGITS = np.stack([LABELS[:, 0] + SIZES, LABELS[:, 1] - SIZES], axis=1).astype(np.float32)
RESIDUALS = LOGITS.astype(np.float64) - LABELS


def formula(r: np.ndarray) -> np.ndarray:
    """Huber's loss with delta 2.5."""
    return np.where(np.abs(r) <= 2.5, r**2 / 2, 2.5 * (np.abs(r) - 2.5 / 2))


def slope(r: np.ndarray) -> np.ndarray:
    """Derivative of Huber's loss with delta 2.5."""
    return np.clip(r, -2.5, 2.5)


def test_by_hand() -> None:
    """By hand, delta 2: residual 1 gives 1/2, residual -4 gives 2 (4 - 1) = 6, mean 3.25."""
    logits, labels = np.array([[3], [1]], np.float32), np.array([[2], [5]], np.float32)
    assert float(Huber(2.0)(Tensor(logits), Tensor(labels))) == 3.25


def test_default() -> None:
    """By hand, delta 1: residual 3 gives 3 - 1/2."""
    logits, labels = np.full((1, 1), 3, np.float32), np.zeros((1, 1), np.float32)
    assert float(Huber()(Tensor(logits), Tensor(labels))) == 2.5


@pytest.mark.parametrize(("delta", "expected"), [(None, 1.0), (5.0, 0.5), (20.0, 2.0)])
def test_delta_is_in_the_labels_unit(delta: float | None, expected: float) -> None:
    """By hand: a label of 1 stands for 10, and is the deviation that none given means."""
    rows = Split(np.zeros((1, 1), np.float32), np.zeros((1, 1), np.float32))
    config = Config()
    config.loss.delta = delta
    loss_fn = create_loss(config, Dataset(rows, rows, rows, outputs=1, label_unit=10.0))
    assert isinstance(loss_fn, Huber)
    assert loss_fn.delta == expected


def test_value() -> None:
    """The formula in float64 NumPy, residuals from 1e-5 to 1e4 of both signs, in their shape."""
    loss = Huber(2.5, reduction="none")(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(loss, formula(RESIDUALS), rtol=1e-5)


def test_gradient() -> None:
    """The derivative by hand in float64 NumPy, divided by the number of entries."""
    gradient = ms.grad(Huber(2.5))(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(gradient, slope(RESIDUALS) / RESIDUALS.size, rtol=1e-3)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over all entries: a scalar."""
    loss = Huber(2.5, reduction=reduction)(Tensor(LOGITS), Tensor(LABELS))
    expected = getattr(np, reduction)(formula(RESIDUALS))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(expected, rel=1e-5)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(Huber(2.5))
    eager_value, eager_gradient = grad_fn(Tensor(LOGITS), Tensor(LABELS))
    value, gradient = ms.jit(grad_fn)(Tensor(LOGITS), Tensor(LABELS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), eager_gradient.asnumpy(), rtol=1e-6)


def test_float16() -> None:
    """By hand: prediction 0 and label 300 give 2.5 (300 - 1.25) = 746.875, float16 or not."""
    logits, labels = np.zeros((2, 1), np.float16), np.full((2, 1), 300, np.float16)
    loss = Huber(2.5)(Tensor(logits), Tensor(labels))
    assert float(loss) == pytest.approx(746.875)


@pytest.mark.parametrize("residual, gradient", [(0, 0), (2.5, 2.5), (-2.5, -2.5)])
def test_gradient_at_the_joints(residual: float, gradient: float) -> None:
    """By hand: the slope is the residual at 0 and where the square meets the lines."""
    logits, labels = np.full((1, 1), residual, np.float32), np.zeros((1, 1), np.float32)
    assert float(ms.grad(Huber(2.5))(Tensor(logits), Tensor(labels))) == gradient


def test_shapes_that_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError with both shapes, eager and compiled, where NumPy would broadcast to (3, 3)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    logits, labels = Tensor(np.zeros((3, 1), np.float32)), Tensor(np.zeros(3, np.float32))
    for loss_fn in (Huber(2.5), ms.jit(Huber(2.5))):
        with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,?\)"):
            loss_fn(logits, labels)


def test_a_nan_reaches_its_entry() -> None:
    """Oracle: the other entry alone is finite."""
    logits = Tensor([[float("nan")], [1.0]])
    loss = Huber(reduction="none")(logits, Tensor([[0.0], [0.0]])).asnumpy()
    assert np.isfinite(loss).ravel().tolist() == [False, True]
