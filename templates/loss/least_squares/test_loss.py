"""The least-squares loss against plain NumPy."""

from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.loss import LeastSquares

SIZES = np.geomspace(1e-3, 30, 30)
REAL = np.concatenate([SIZES, -SIZES])[:, None].astype(np.float32)
FAKE = np.random.default_rng(0).permutation(REAL)


@pytest.fixture(autouse=True)
def eager() -> None:
    """Run eagerly, whatever mode another test has left."""
    ms.set_context(mode=ms.PYNATIVE_MODE)


def discriminator(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The formula of the discriminator's loss."""
    return ((r - 1) ** 2 + f**2) / 2


def generator(f: np.ndarray) -> np.ndarray:
    """The formula of the generator's loss."""
    return (f - 1) ** 2 / 2


def logits(*values: float) -> Tensor:
    return Tensor(np.array(values, np.float32)[:, None])


def test_by_hand() -> None:
    """By hand: D(real) = 3 gives 2, D(fake) = -1 gives 1/2, and 2 for the generator; 1/4 at 1/2."""
    loss_fn = LeastSquares()
    assert float(loss_fn(logits(3), logits(-1))) == 2.5
    assert float(loss_fn.generator(logits(-1))) == 2
    assert float(loss_fn(logits(0.5), logits(0.5))) == 0.25
    assert float(loss_fn(logits(1), logits(0))) == float(loss_fn.generator(logits(1))) == 0


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_value(reduction: str) -> None:
    """The formulas in float64 NumPy, logits of both signs up to 30; "none" keeps their shape."""
    loss_fn = LeastSquares(reduction=reduction)
    reduce: Any = {"none": lambda x: x, "mean": np.mean, "sum": np.sum}[reduction]
    real, fake = REAL.astype(np.float64), FAKE.astype(np.float64)
    found = loss_fn(Tensor(REAL), Tensor(FAKE)).asnumpy()
    assert found.shape == (REAL.shape if reduction == "none" else ())
    np.testing.assert_allclose(found, reduce(discriminator(real, fake)), rtol=1e-5, atol=1e-5)
    found = loss_fn.generator(Tensor(FAKE)).asnumpy()
    np.testing.assert_allclose(found, reduce(generator(fake)), rtol=1e-5, atol=1e-5)


def test_gradient() -> None:
    """Central differences of the formulas in float64 NumPy."""
    loss_fn, h = LeastSquares(reduction="sum"), 1e-4
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
    loss_fn = LeastSquares()
    for function, logits in ((loss_fn, (REAL, FAKE)), (loss_fn.generator, (FAKE,))):
        arguments = [Tensor(x) for x in logits]
        expected = float(function(*arguments))
        assert float(ms.jit(function)(*arguments)) == pytest.approx(expected, rel=1e-6)


def test_float16() -> None:
    """The formulas: float16 logits, whose squares and sums would not fit, are taken as float32."""
    real, fake = np.full((2, 1), -300, np.float16), np.full((2, 1), 300, np.float16)
    loss_fn = LeastSquares(reduction="sum")
    expected = discriminator(real.astype(np.float64), fake.astype(np.float64)).sum()
    assert float(loss_fn(Tensor(real), Tensor(fake))) == pytest.approx(expected, rel=1e-4)
    expected = generator(-fake.astype(np.float64)).sum()
    assert float(loss_fn.generator(Tensor(-fake))) == pytest.approx(expected, rel=1e-4)


def test_shapes_that_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError with both shapes, eager and compiled, where NumPy would broadcast to (3, 3)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    real, fake = Tensor(np.zeros((3, 1), np.float32)), Tensor(np.zeros(3, np.float32))
    for loss_fn in (LeastSquares(), ms.jit(LeastSquares())):
        with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,?\)"):
            loss_fn(real, fake)
