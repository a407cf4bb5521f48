"""The loss of proximal policy optimisation against plain NumPy."""

from functools import partial

import mindspore as ms
import numpy as np
import pytest
from tensors import tensors

from package.loss import PPO

pytestmark = pytest.mark.usefixtures("eager")

LOSS = partial(PPO, 0.3, 0.7, 0.05)
RNG = np.random.default_rng(0)
OLD, SHIFT, ADVANTAGE, VALUE, TARGET = RNG.normal(size=(5, 60))
LOG_PROB, ENTROPY = OLD + SHIFT / 2, RNG.uniform(0, 2, size=60)
ROWS = [np.float32(x) for x in (LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY)]


def formula(log_prob, old, advantage, value, target, entropy) -> np.ndarray:
    """The loss of each row, written with cases in place of a minimum of clipped products."""
    ratio = np.exp(log_prob - old)
    gain = np.where(advantage > 0, np.minimum(ratio, 1.3), np.maximum(ratio, 0.7))
    return -gain * advantage + 0.7 * (value - target) ** 2 / 2 - 0.05 * entropy


def test_by_hand() -> None:
    """By hand: the ratios 1.5 and 0.5 gain up to the bounds 1.2 and 0.8, and lose without one.

    -1.2 * 2, 1.5 * 2, -0.5 * 2 and 0.8 * 2, each with 0.5 * (1 - 3)^2 / 2 - 0.01 * 0.7 added.
    """
    log_prob = np.log([1.5, 1.5, 0.5, 0.5])
    same = np.ones(4)
    loss = PPO(reduction="none")(
        *tensors(log_prob, 0 * same, [2, -2, 2, -2], same, 3 * same, 0.7 * same)
    )
    expected = np.array([-2.4, 3.0, -1.0, 1.6]) + 1 - 0.007
    np.testing.assert_allclose(loss.asnumpy(), expected, rtol=1e-5, atol=1e-5)


def test_before_the_first_update_the_ratio_is_one() -> None:
    """By hand: without value and entropy the loss is minus the advantage, row by row, exactly."""
    rows = tensors(OLD, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY)
    loss = PPO(0.2, 0.0, 0.0, reduction="none")(*rows)
    assert loss.shape == (60,)
    np.testing.assert_array_equal(loss.asnumpy(), -np.float32(ADVANTAGE))


def test_gradient() -> None:
    """By hand in NumPy: none for the policy where the ratio is beyond a bound that it gains at."""
    ratio = np.exp(LOG_PROB - OLD)
    inside = np.where(ADVANTAGE > 0, ratio < 1.3, ratio > 0.7)
    assert 10 < inside.sum() < 50
    policy = np.where(inside, -ratio * ADVANTAGE, 0)
    slopes = policy / 60, 0.7 * (VALUE - TARGET) / 60, np.full(60, -0.05 / 60)
    gradients = ms.grad(LOSS(), (0, 3, 5))(*tensors(*ROWS))
    for gradient, slope in zip(gradients, slopes):
        np.testing.assert_allclose(gradient.asnumpy(), slope, rtol=1e-4, atol=1e-7)
