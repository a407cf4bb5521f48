"""The loss of advantage actor-critic against plain NumPy."""

from functools import partial

import mindspore as ms
import numpy as np
import pytest
from tensors import tensors

from package.loss import A2C

pytestmark = pytest.mark.usefixtures("eager")

LOSS = partial(A2C, 0.7, 0.05)
RNG = np.random.default_rng(0)
LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET = RNG.normal(size=(5, 60))
ENTROPY = RNG.uniform(0, 2, size=60)
ROWS = [np.float32(x) for x in (LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY)]


def formula(log_prob, old, advantage, value, target, entropy) -> np.ndarray:
    """The loss of each row."""
    return -log_prob * advantage + 0.7 * (value - target) ** 2 / 2 - 0.05 * entropy


def test_by_hand() -> None:
    """By hand: probability 1/2, advantage 3: 3 log 2 + 0.5 * (1 - 3)^2 / 2 - 0.01 * 0.7."""
    loss = A2C()(*tensors([np.log(0.5)], [0], [3], [1], [3], [0.7]))
    assert float(loss) == pytest.approx(3 * np.log(2) + 1 - 0.007, rel=1e-6)


def test_gradient() -> None:
    """By hand in NumPy: minus the advantage, the error of the value, and the entropy's weight."""
    slopes = -ADVANTAGE / 60, 0.7 * (VALUE - TARGET) / 60, np.full(60, -0.05 / 60)
    gradients = ms.grad(LOSS(), (0, 3, 5))(*tensors(*ROWS))
    for gradient, slope in zip(gradients, slopes):
        np.testing.assert_allclose(gradient.asnumpy(), slope, rtol=1e-4, atol=1e-7)
