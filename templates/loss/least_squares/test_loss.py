"""The least-squares loss against plain NumPy."""

import numpy as np
import pytest
from logits import logits

from package.loss import LeastSquares

pytestmark = pytest.mark.usefixtures("eager")

LOSS = LeastSquares


def discriminator(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The formula of the discriminator's loss."""
    return ((r - 1) ** 2 + f**2) / 2


def generator(f: np.ndarray) -> np.ndarray:
    """The formula of the generator's loss."""
    return (f - 1) ** 2 / 2


def test_by_hand() -> None:
    """By hand: D(real) = 3 gives 2, D(fake) = -1 gives 1/2, and 2 for the generator; 1/4 at 1/2."""
    loss_fn = LeastSquares()
    assert float(loss_fn(logits(3), logits(-1))) == 2.5
    assert float(loss_fn.generator(logits(-1))) == 2
    assert float(loss_fn(logits(0.5), logits(0.5))) == 0.25
    assert float(loss_fn(logits(1), logits(0))) == float(loss_fn.generator(logits(1))) == 0
