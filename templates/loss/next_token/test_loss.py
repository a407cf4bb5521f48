"""The cross entropy of every next token against plain NumPy."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.loss import NextToken

pytestmark = pytest.mark.usefixtures("eager")

LOGITS = np.random.default_rng(0).normal(scale=4, size=(6, 3, 5)).astype(np.float32)
LABELS = np.random.default_rng(1).integers(5, size=(6, 3)).astype(np.int32)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities along the last axis."""
    powers = np.exp(logits - logits.max(axis=2, keepdims=True).astype(np.float64))
    return powers / powers.sum(axis=2, keepdims=True)


def formula(logits: np.ndarray) -> np.ndarray:
    """Mean over each row of the negative log-likelihood of its labels."""
    true = (softmax(logits) * np.eye(5)[LABELS]).sum(axis=2)
    return -np.log(true).mean(axis=1)


def test_by_hand() -> None:
    """By hand: 3/4 for the first token and 1/4 for the second cost (log 4/3 + log 4) / 2."""
    logits = np.log(np.array([[[3, 1], [3, 1]]], np.float32))
    loss = NextToken("none")(Tensor(logits), Tensor(np.array([[0, 1]], np.int32)))
    np.testing.assert_allclose(loss.asnumpy(), [np.log(16 / 3) / 2], rtol=1e-5)


def test_value() -> None:
    """The formula in float64 NumPy, one value a row."""
    loss = NextToken("none")(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    np.testing.assert_allclose(loss, formula(LOGITS), rtol=1e-5, atol=1e-5)


def test_gradient() -> None:
    """The derivative by hand: softmax less the label, divided by rows and positions."""
    gradient = ms.grad(NextToken(), 0)(Tensor(LOGITS), Tensor(LABELS)).asnumpy()
    expected = (softmax(LOGITS) - np.eye(5)[LABELS]) / (6 * 3)
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over the rows: a scalar."""
    loss = NextToken(reduction)(Tensor(LOGITS), Tensor(LABELS))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(getattr(np, reduction)(formula(LOGITS)), rel=1e-5)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(NextToken())
    eager_value, eager_gradient = grad_fn(Tensor(LOGITS), Tensor(LABELS))
    value, gradient = ms.jit(grad_fn)(Tensor(LOGITS), Tensor(LABELS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), eager_gradient.asnumpy(), rtol=1e-6, atol=1e-9)


def test_huge_logits() -> None:
    """By hand: 1e4 against -1e4 costs 2e4, and the slope is 1 one way and -1 the other."""
    logits, labels = np.array([[[1e4, -1e4]]], np.float32), Tensor(np.array([[1]], np.int32))
    value, gradient = ms.value_and_grad(NextToken())(Tensor(logits), labels)
    assert float(value) == 2e4
    np.testing.assert_array_equal(gradient.asnumpy(), [[[1, -1]]])


def test_a_token_that_cannot_follow() -> None:
    """By hand: with a logit of -inf it takes no part; the others, equal, cost log 2."""
    logits, labels = np.array([[[1, 1, -np.inf]]], np.float32), Tensor(np.array([[0]], np.int32))
    value, gradient = ms.value_and_grad(NextToken())(Tensor(logits), labels)
    assert float(value) == pytest.approx(np.log(2), rel=1e-6)
    np.testing.assert_allclose(gradient.asnumpy(), [[[-0.5, 0.5, 0]]], rtol=1e-6)


def test_float16() -> None:
    """The formula in float64 NumPy of the rounded logits: only the input is float16."""
    logits = LOGITS.astype(np.float16)
    loss = NextToken()(Tensor(logits), Tensor(LABELS))
    assert float(loss) == pytest.approx(formula(logits).mean(), rel=1e-5)


def test_labels_of_another_shape_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ValueError with both shapes, eager and compiled, for one label a row and for too few."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    row, few = Tensor(np.zeros(6, np.int32)), Tensor(np.zeros((6, 2), np.int32))
    for loss_fn in (NextToken(), ms.jit(NextToken())):
        for labels in (row, few):
            with pytest.raises(ValueError, match=r"\(6, 3, 5\).*\((6, 2|6,?)\)"):
                loss_fn(Tensor(LOGITS), labels)


@pytest.mark.parametrize("label", [0, 1])
def test_a_nan_reaches_its_row(label: int) -> None:
    """Oracle: the other row alone is finite, whichever token the NaN is the logit of."""
    logits = Tensor([[[float("nan"), 1.0]], [[0.0, 1.0]]])
    loss = NextToken("none")(logits, Tensor([[label], [label]], ms.int32)).asnumpy()
    assert np.isfinite(loss).tolist() == [False, True]
