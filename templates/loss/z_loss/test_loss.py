"""The cross entropy with a penalty on its normaliser, against plain NumPy."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.loss import ZLoss

pytestmark = pytest.mark.usefixtures("eager")

LOGITS = np.random.default_rng(0).normal(1, 4, size=(6, 3, 5)).astype(np.float32)
LABELS = np.random.default_rng(1).integers(5, size=(6, 3)).astype(np.int32)


def log_z(logits: np.ndarray) -> np.ndarray:
    """Logarithm of the sum of exponentials along the last axis, in float64."""
    return np.log(np.exp(logits.astype(np.float64)).sum(axis=2))


def formula(logits: np.ndarray, coefficient: float) -> np.ndarray:
    """Mean over each row of cross entropy and penalty."""
    true = (logits * np.eye(5)[LABELS]).sum(axis=2)
    return (log_z(logits) - true + coefficient * log_z(logits) ** 2).mean(axis=1)


def test_by_hand() -> None:
    """By hand: Z = 4 at both positions, 3/4 and 1/4: (log 16/3) / 2 + 0.5 log(4)^2."""
    logits = np.log(np.array([[[3, 1], [3, 1]]], np.float32))
    loss = ZLoss(0.5, "none")(Tensor(logits), Tensor(np.array([[0, 1]], np.int32)))
    np.testing.assert_allclose(loss.asnumpy(), [np.log(16 / 3) / 2 + np.log(4) ** 2 / 2], rtol=1e-5)


@pytest.mark.parametrize("coefficient", [0.0, 0.3])
def test_value(coefficient: float) -> None:
    """The formula in float64 NumPy, one value a row; without the penalty the cross entropy."""
    loss = ZLoss(coefficient, "none")(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(loss, formula(LOGITS, coefficient), rtol=1e-5, atol=1e-5)


def test_gradient() -> None:
    """The derivative by hand: (1 + 2 c log Z) softmax less the label, over rows and positions."""
    gradient = ms.grad(ZLoss(0.3), 0)(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    z = log_z(LOGITS)[..., None]
    expected = ((1 + 0.6 * z) * np.exp(LOGITS - z) - np.eye(5)[LABELS]) / (6 * 3)
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over the rows: a scalar."""
    loss = ZLoss(0.3, reduction)(Tensor(LOGITS), Tensor(LABELS))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(getattr(np, reduction)(formula(LOGITS, 0.3)), rel=1e-5)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(ZLoss(0.3))
    eager_value, eager_gradient = grad_fn(Tensor(LOGITS), Tensor(LABELS))
    value, gradient = ms.jit(grad_fn)(Tensor(LOGITS), Tensor(LABELS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), eager_gradient.asnumpy(), rtol=1e-6, atol=1e-9)


def test_huge_logits() -> None:
    """By hand: log Z is 1e4; the penalty is 1e-4 x 1e8, and the wrong label costs 2e4 more."""
    logits, labels = np.array([[[1e4, -1e4]]] * 2, np.float32), np.array([[0], [1]], np.int32)
    loss = ZLoss(reduction="none")(Tensor(logits), Tensor(labels))
    np.testing.assert_allclose(loss.asnumpy(), [1e4, 3e4], rtol=1e-6)


def test_float16() -> None:
    """The formula in float64 NumPy of the rounded logits: only the input is float16."""
    logits = LOGITS.astype(np.float16)
    loss = ZLoss(0.3)(Tensor(logits), Tensor(LABELS))
    expected = formula(logits.astype(np.float64), 0.3).mean()
    assert float(loss) == pytest.approx(expected, rel=1e-5)


def test_labels_of_another_shape_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ValueError with both shapes, eager and compiled, for one label a row and for too few."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    row, few = Tensor(np.zeros(6, np.int32)), Tensor(np.zeros((6, 2), np.int32))
    for loss_fn in (ZLoss(), ms.jit(ZLoss())):
        for labels in (row, few):
            with pytest.raises(ValueError, match=r"\(6, 3, 5\).*\((6, 2|6,?)\)"):
                loss_fn(Tensor(LOGITS), labels)


@pytest.mark.parametrize("label", [0, 1])
def test_a_nan_reaches_its_row(label: int) -> None:
    """Oracle: the other row alone is finite, whichever token the NaN is the logit of."""
    logits = Tensor([[[float("nan"), 1.0]], [[0.0, 1.0]]])
    loss = ZLoss(reduction="none")(logits, Tensor([[label], [label]], ms.int32)).asnumpy()
    assert np.isfinite(loss).tolist() == [False, True]
