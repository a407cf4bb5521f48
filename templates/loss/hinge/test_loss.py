"""The hinge loss against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from logits import logits

from package.loss import Hinge

pytestmark = pytest.mark.usefixtures("eager")

LOSS = Hinge


def discriminator(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The formula of the discriminator's loss."""
    return np.maximum(0, 1 - r) + np.maximum(0, 1 + f)


def generator(f: np.ndarray) -> np.ndarray:
    """The formula of the generator's loss."""
    return -f


def test_by_hand() -> None:
    """By hand: D(fake) = -2, D(real) = 0.5 give 0.5, and 2 with slope -1 for the generator."""
    loss_fn = Hinge()
    assert float(loss_fn(logits(0.5), logits(-2))) == 0.5
    assert float(loss_fn.generator(logits(-2))) == 2
    assert float(ms.grad(loss_fn.generator)(logits(-2)).asnumpy()[0, 0]) == -1
    assert float(loss_fn(logits(0), logits(0))) == 2
