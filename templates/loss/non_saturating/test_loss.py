"""The non-saturating loss against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from logits import logits

from package.loss import NonSaturating

pytestmark = pytest.mark.usefixtures("eager")

LOSS = NonSaturating


def discriminator(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The formula of the discriminator's loss."""
    return np.logaddexp(0, -r) + np.logaddexp(0, f)


def generator(f: np.ndarray) -> np.ndarray:
    """The formula of the generator's loss."""
    return np.logaddexp(0, -f)


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
