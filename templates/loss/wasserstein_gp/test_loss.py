"""The Wasserstein loss and its gradient penalty against plain NumPy."""

from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

from package.loss import WassersteinGP

SIZES = np.geomspace(1e-3, 30, 30)
REAL = np.concatenate([SIZES, -SIZES])[:, None].astype(np.float32)
FAKE = np.random.default_rng(0).permutation(REAL)


@pytest.fixture(autouse=True)
def eager() -> None:
    """Run eagerly, whatever mode another test has left."""
    ms.set_context(mode=ms.PYNATIVE_MODE)


def discriminator(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The formula of the discriminator's loss."""
    return f - r


def generator(f: np.ndarray) -> np.ndarray:
    """The formula of the generator's loss."""
    return -f


def logits(*values: float) -> Tensor:
    return Tensor(np.array(values, np.float32)[:, None])


def test_by_hand() -> None:
    """By hand: D(real) = 3 and D(fake) = -1 give -4, and 1 for the generator."""
    loss_fn = WassersteinGP()
    assert float(loss_fn(logits(3), logits(-1))) == -4
    assert float(loss_fn.generator(logits(-1))) == 1


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


class Critic(nn.Cell):
    """D(x) = v . tanh(W x), whose slope NumPy knows: W^T (v (1 - tanh^2(W x)))."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(rows(5, 3)), name="w")
        self.v = Parameter(Tensor(rows(1, 5)), name="v")

    def construct(self, x: Tensor) -> Tensor:
        return ops.matmul(ops.tanh(ops.matmul(x, self.w.T)), self.v.T)


def penalty(w: np.ndarray, v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Ten times the squared distance of the norm of Critic's slope from 1, (rows, 1)."""
    slope = (v * (1 - np.tanh(x @ w.T) ** 2)) @ w
    return 10 * (np.linalg.norm(slope, axis=1, keepdims=True) - 1) ** 2


@pytest.mark.parametrize("compiled", [False, True])
def test_penalty_and_its_gradient(compiled: bool) -> None:
    """NumPy's slope by hand; its derivative by the weights, by central differences in float64."""
    critic, points = Critic(), rows(6, 3) / 2
    loss_fn, slope_fn = WassersteinGP(), ms.grad(critic)
    if not compiled:  # MindSpore 2.10 loses terms of an eager second derivative
        slope_fn = ms.jit(slope_fn)

    def forward_fn(points):
        return loss_fn.penalty(slope_fn(points))

    grad_fn = ms.value_and_grad(forward_fn, None, critic.trainable_params())
    grad_fn = ms.jit(grad_fn) if compiled else grad_fn
    value, grads = grad_fn(Tensor(points))

    arrays = (critic.w.asnumpy(), critic.v.asnumpy(), points)
    w, v, x = (array.astype(np.float64) for array in arrays)
    assert float(value) == pytest.approx(penalty(w, v, x).mean(), rel=1e-4)
    for place, grad in enumerate(grads):
        for index in np.ndindex(grad.shape):
            shifted = []
            for step in (1e-5, -1e-5):
                weights = [w.copy(), v.copy()]
                weights[place][index] += step
                shifted.append(penalty(weights[0], weights[1], x).mean())
            slope = (shifted[0] - shifted[1]) / 2e-5
            assert grad.asnumpy()[index] == pytest.approx(slope, rel=2e-3, abs=1e-3)


def test_penalty_by_hand() -> None:
    """By hand: the slope (3, 4) has the norm 5, so 2 (5 - 1)^2 a row, for images as for vectors."""
    slope = Tensor(np.tile(np.array([3, 4], np.float32).reshape(1, 1, 2, 1), (7, 1, 1, 1)))
    for reduction, expected in (("none", [[32.0]] * 7), ("mean", 32.0), ("sum", 224.0)):
        found = WassersteinGP(2.0, reduction).penalty(slope)
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)


def test_no_slope_has_a_finite_gradient() -> None:
    """By hand: without any slope the penalty is its weight, and its gradient 0 and not NaN."""
    value, grad = ms.value_and_grad(WassersteinGP().penalty)(Tensor(np.zeros((6, 3), np.float32)))
    assert float(value) == pytest.approx(10, rel=1e-4)
    assert (grad.asnumpy() == 0).all()


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_value(reduction: str) -> None:
    """The formulas in float64 NumPy, logits of both signs up to 30; "none" keeps their shape."""
    loss_fn = WassersteinGP(reduction=reduction)
    reduce: Any = {"none": lambda x: x, "mean": np.mean, "sum": np.sum}[reduction]
    real, fake = REAL.astype(np.float64), FAKE.astype(np.float64)
    found = loss_fn(Tensor(REAL), Tensor(FAKE)).asnumpy()
    assert found.shape == (REAL.shape if reduction == "none" else ())
    np.testing.assert_allclose(found, reduce(discriminator(real, fake)), rtol=1e-5, atol=1e-5)
    found = loss_fn.generator(Tensor(FAKE)).asnumpy()
    np.testing.assert_allclose(found, reduce(generator(fake)), rtol=1e-5, atol=1e-5)


def test_gradient() -> None:
    """Central differences of the formulas in float64 NumPy."""
    loss_fn, h = WassersteinGP(reduction="sum"), 1e-4
    real, fake = REAL.astype(np.float64), FAKE.astype(np.float64)
    by_real, by_fake = ms.grad(loss_fn, (0, 1))(Tensor(REAL), Tensor(FAKE))
    slope = (discriminator(real + h, fake) - discriminator(real - h, fake)) / (2 * h)
    np.testing.assert_allclose(by_real.asnumpy(), slope, rtol=1e-3, atol=1e-4)
    slope = (discriminator(real, fake + h) - discriminator(real, fake - h)) / (2 * h)
    np.testing.assert_allclose(by_fake.asnumpy(), slope, rtol=1e-3, atol=1e-4)
    slope = (generator(fake + h) - generator(fake - h)) / (2 * h)
    found = ms.grad(loss_fn.generator)(Tensor(FAKE)).asnumpy()
    np.testing.assert_allclose(found, slope, rtol=1e-3, atol=1e-4)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled values of both sides are the same."""
    loss_fn = WassersteinGP()
    for function, logits in ((loss_fn, (REAL, FAKE)), (loss_fn.generator, (FAKE,))):
        arguments = [Tensor(x) for x in logits]
        expected = float(function(*arguments))
        assert float(ms.jit(function)(*arguments)) == pytest.approx(expected, rel=1e-6)


def test_float16() -> None:
    """The formulas: float16 logits, whose squares and sums would not fit, are taken as float32."""
    real, fake = np.full((2, 1), -300, np.float16), np.full((2, 1), 300, np.float16)
    loss_fn = WassersteinGP(reduction="sum")
    expected = discriminator(real.astype(np.float64), fake.astype(np.float64)).sum()
    assert float(loss_fn(Tensor(real), Tensor(fake))) == pytest.approx(expected, rel=1e-4)
    expected = generator(-fake.astype(np.float64)).sum()
    assert float(loss_fn.generator(Tensor(-fake))) == pytest.approx(expected, rel=1e-4)


def test_shapes_that_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError with both shapes, eager and compiled, where NumPy would broadcast to (3, 3)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    real, fake = Tensor(np.zeros((3, 1), np.float32)), Tensor(np.zeros(3, np.float32))
    for loss_fn in (WassersteinGP(), ms.jit(WassersteinGP())):
        with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,?\)"):
            loss_fn(real, fake)
