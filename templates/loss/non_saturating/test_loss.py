"""The non-saturating loss against plain NumPy."""

from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.loss import NonSaturating

SIZES = np.geomspace(1e-3, 30, 30)
REAL = np.concatenate([SIZES, -SIZES])[:, None].astype(np.float32)
FAKE = np.random.default_rng(0).permutation(REAL)


@pytest.fixture(autouse=True)
def eager() -> None:
    """Run eagerly, whatever mode another test has left."""
    ms.set_context(mode=ms.PYNATIVE_MODE)


def discriminator(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The formula of the discriminator's loss."""
    return np.logaddexp(0, -r) + np.logaddexp(0, f)


def generator(f: np.ndarray) -> np.ndarray:
    """The formula of the generator's loss."""
    return np.logaddexp(0, -f)


def logits(*values: float) -> Tensor:
    return Tensor(np.array(values, np.float32)[:, None])


def test_by_hand() -> None:
    """By hand: logits 0 give log 2 a side; log 3 and -log 3, taken rightly, give log(4 / 3)."""
    loss_fn = NonSaturating()
    assert float(loss_fn(logits(0), logits(0))) == pytest.approx(2 * np.log(2))
    assert float(loss_fn.generator(logits(0))) == pytest.approx(np.log(2))
    sure = float(loss_fn(logits(np.log(3)), logits(-np.log(3))))
    assert sure == pytest.approx(2 * np.log(4 / 3))
    assert float(loss_fn.generator(logits(-np.log(3)))) == pytest.approx(np.log(4))


def test_generator_keeps_its_slope() -> None:
    """By hand: where the discriminator is sure, at -50, the slope is -1 and not 0."""
    slope = ms.grad(NonSaturating().generator)(logits(-50))
    assert float(slope.asnumpy()[0, 0]) == pytest.approx(-1)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_value(reduction: str) -> None:
    """The formulas in float64 NumPy, logits of both signs up to 30; "none" keeps their shape."""
    loss_fn = NonSaturating(reduction=reduction)
    reduce: Any = {"none": lambda x: x, "mean": np.mean, "sum": np.sum}[reduction]
    real, fake = REAL.astype(np.float64), FAKE.astype(np.float64)
    found = loss_fn(Tensor(REAL), Tensor(FAKE)).asnumpy()
    assert found.shape == (REAL.shape if reduction == "none" else ())
    np.testing.assert_allclose(found, reduce(discriminator(real, fake)), rtol=1e-5, atol=1e-5)
    found = loss_fn.generator(Tensor(FAKE)).asnumpy()
    np.testing.assert_allclose(found, reduce(generator(fake)), rtol=1e-5, atol=1e-5)


def test_gradient() -> None:
    """Central differences of the formulas in float64 NumPy."""
    loss_fn, h = NonSaturating(reduction="sum"), 1e-4
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
    loss_fn = NonSaturating()
    for function, logits in ((loss_fn, (REAL, FAKE)), (loss_fn.generator, (FAKE,))):
        arguments = [Tensor(x) for x in logits]
        expected = float(function(*arguments))
        assert float(ms.jit(function)(*arguments)) == pytest.approx(expected, rel=1e-6)


def test_float16() -> None:
    """The formulas: float16 logits, whose squares and sums would not fit, are taken as float32."""
    real, fake = np.full((2, 1), -300, np.float16), np.full((2, 1), 300, np.float16)
    loss_fn = NonSaturating(reduction="sum")
    expected = discriminator(real.astype(np.float64), fake.astype(np.float64)).sum()
    assert float(loss_fn(Tensor(real), Tensor(fake))) == pytest.approx(expected, rel=1e-4)
    expected = generator(-fake.astype(np.float64)).sum()
    assert float(loss_fn.generator(Tensor(-fake))) == pytest.approx(expected, rel=1e-4)


def test_shapes_that_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError with both shapes, eager and compiled, where NumPy would broadcast to (3, 3)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    real, fake = Tensor(np.zeros((3, 1), np.float32)), Tensor(np.zeros(3, np.float32))
    for loss_fn in (NonSaturating(), ms.jit(NonSaturating())):
        with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,?\)"):
            loss_fn(real, fake)
