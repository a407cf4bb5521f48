"""The focal loss against plain NumPy."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.loss import Focal

pytestmark = pytest.mark.usefixtures("eager")

LOGITS = np.random.default_rng(0).normal(scale=4, size=(20, 5)).astype(np.float32)
LABELS = np.random.default_rng(1).integers(5, size=20).astype(np.int32)
ROWS = np.arange(20)


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Logarithm of the softmax along the last axis."""
    shifted = logits - logits.max(axis=1, keepdims=True).astype(np.float64)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def formula(logits: np.ndarray, gamma: float = 0.5) -> np.ndarray:
    """Cross entropy of each row times its missing probability to the power ``gamma``."""
    log_p = log_softmax(logits)[ROWS, LABELS]
    return -((-np.expm1(log_p)) ** gamma) * log_p


def test_by_hand() -> None:
    """By hand, the default gamma 2: p = 3/4 gives log(4/3) / 16, p = 1/4 gives 9/16 log 4."""
    logits = np.log(np.array([[3, 1], [3, 1]], np.float32))
    loss = Focal(reduction="none")(Tensor(logits), Tensor(np.array([0, 1], np.int32)))
    np.testing.assert_allclose(loss.asnumpy(), [np.log(4 / 3) / 16, 9 / 16 * np.log(4)], rtol=1e-4)


def test_value() -> None:
    """The formula in float64 NumPy, one value a row."""
    loss = Focal(0.5, reduction="none")(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(loss, formula(LOGITS), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.0])
def test_gradient(gamma: float) -> None:
    """Central differences of the formula in float64 NumPy."""
    gradient = ms.grad(Focal(gamma, "sum"))(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    logits, step = LOGITS.astype(np.float64), 1e-5 * np.eye(5)
    expected = [(formula(logits + h, gamma) - formula(logits - h, gamma)) / 2e-5 for h in step]
    np.testing.assert_allclose(gradient, np.transpose(expected), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over the rows: a scalar."""
    loss = Focal(0.5, reduction=reduction)(Tensor(LOGITS), Tensor(LABELS))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(getattr(np, reduction)(formula(LOGITS)), rel=1e-5)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(Focal(0.5))
    eager_value, eager_gradient = grad_fn(Tensor(LOGITS), Tensor(LABELS))
    value, gradient = ms.jit(grad_fn)(Tensor(LOGITS), Tensor(LABELS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), eager_gradient.asnumpy(), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.0])
def test_huge_logits(gamma: float) -> None:
    """By hand: 1e4 against -1e4 costs 2e4 with slope 1, or nothing with slope 0."""
    logits = np.array([[1e4, -1e4], [1e4, -1e4]], np.float32)
    loss_fn, labels = Focal(gamma, "none"), Tensor(np.array([1, 0], np.int32))
    np.testing.assert_array_equal(loss_fn(Tensor(logits), labels).asnumpy(), [2e4, 0])
    gradient = ms.grad(loss_fn)(Tensor(logits), labels)
    np.testing.assert_array_equal(gradient.asnumpy(), [[1, -1], [0, 0]])


@pytest.mark.parametrize("gamma", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("margin", [8, 12, 16, 20, 40])
def test_gradient_of_a_sure_row(gamma: float, margin: float) -> None:
    """By hand: for small x = 1 - p the loss is x^(1 + gamma), its slope -(1 + gamma) times that."""
    logits, labels = Tensor(np.array([[margin, 0]], np.float32)), Tensor(np.array([0], np.int32))
    gradient = ms.grad(Focal(gamma))(logits, labels).asnumpy()
    expected = (1 + gamma) * np.exp(-margin * (1 + gamma))
    np.testing.assert_allclose(gradient, [[-expected, expected]], rtol=1e-2, atol=5e-6)


def test_gamma_zero_is_the_cross_entropy() -> None:
    """The negative log-likelihood in float64 NumPy."""
    loss = Focal(0.0, "none")(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(loss, -log_softmax(LOGITS)[ROWS, LABELS], rtol=1e-5, atol=1e-5)


def test_float16() -> None:
    """The formula in float64 NumPy of the rounded logits: only the input is float16."""
    logits = LOGITS.astype(np.float16)
    loss = Focal(0.5)(Tensor(logits), Tensor(LABELS))
    assert float(loss) == pytest.approx(formula(logits).mean(), rel=1e-5)


def test_labels_of_another_shape_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ValueError with both shapes, eager and compiled, for a column and for too few labels."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    column, few = Tensor(np.zeros((20, 1), np.int32)), Tensor(np.zeros(19, np.int32))
    for loss_fn in (Focal(0.5), ms.jit(Focal(0.5))):
        for labels in (column, few):
            with pytest.raises(ValueError, match=r"\(20, 5\).*\((20, 1|19,?)\)"):
                loss_fn(Tensor(LOGITS), labels)


@pytest.mark.parametrize("label", [0, 1])
def test_a_nan_reaches_its_row(label: int) -> None:
    """Oracle: the other row alone is finite, whichever class the NaN is the logit of."""
    logits = Tensor([[float("nan"), 1.0], [0.0, 1.0]])
    loss = Focal(reduction="none")(logits, Tensor([label, label], ms.int32)).asnumpy()
    assert np.isfinite(loss).tolist() == [False, True]
