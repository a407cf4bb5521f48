"""Distributions over actions against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.actions import Categorical, Gaussian

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(size=(8, 3)).astype(np.float32)
CHOICES = RNG.integers(3, size=8).astype(np.int32)
OUTPUT = RNG.normal(size=(8, 4)).astype(np.float32)
NUMBERS = RNG.normal(size=(8, 2)).astype(np.float32)
MEAN, DEVIATION = OUTPUT[:, :2].astype(np.float64), np.exp(OUTPUT[:, 2:].astype(np.float64))


def gaussian(size: int = 2) -> Gaussian:
    """Numbers from -1 to 1."""
    return Gaussian(-np.ones(size, np.float32), np.ones(size, np.float32))


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities of the choices."""
    powers = np.exp(logits.astype(np.float64))
    return powers / powers.sum(1, keepdims=True)


def test_categorical_log_prob():
    """NumPy: the logarithm of the softmax at the choice, one a row."""
    found = Categorical(3).log_prob(Tensor(LOGITS), Tensor(CHOICES))
    expected = np.log(softmax(LOGITS)[np.arange(8), CHOICES])
    assert found.shape == (8,)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)


def test_categorical_entropy():
    """NumPy: the sum of -p log p; by hand log 3 for three equal choices."""
    found = Categorical(3).entropy(Tensor(LOGITS)).asnumpy()
    probability = softmax(LOGITS)
    np.testing.assert_allclose(found, -(probability * np.log(probability)).sum(1), rtol=1e-5)
    equal = Categorical(3).entropy(Tensor(np.zeros((1, 3), np.float32)))
    np.testing.assert_allclose(equal.asnumpy(), [np.log(3)], rtol=1e-6)


def test_certain_choice_is_finite():
    """By hand: logits 0 and 200 have log probabilities -200 and 0, and entropy 0."""
    logits = Tensor(np.float32([[0, 200], [0, 200]]))
    actions = Categorical(2)
    log_prob = actions.log_prob(logits, Tensor(np.int32([0, 1]))).asnumpy()
    np.testing.assert_allclose(log_prob, [-200, 0])
    np.testing.assert_array_equal(actions.entropy(logits).asnumpy(), [0, 0])


def test_categorical_draws_by_its_probabilities():
    """The softmax: with 30 000 draws a share has a deviation below 0.003."""
    actions = Categorical(3)
    noise = actions.noise(np.random.default_rng(1), 30_000)
    logits = np.repeat(LOGITS[:1], 30_000, axis=0)
    drawn = actions.sample(Tensor(logits), Tensor(noise)).asnumpy()
    shares = np.bincount(drawn, minlength=3) / 30_000
    np.testing.assert_allclose(shares, softmax(LOGITS)[0], atol=0.012)


def test_gaussian_log_prob():
    """NumPy: the sum over both numbers of the logarithm of the normal density, one a row."""
    density = np.exp(-(((NUMBERS - MEAN) / DEVIATION) ** 2) / 2) / DEVIATION / np.sqrt(2 * np.pi)
    found = gaussian().log_prob(Tensor(OUTPUT), Tensor(NUMBERS))
    assert found.shape == (8,)
    np.testing.assert_allclose(found.asnumpy(), np.log(density).sum(1), rtol=1e-4)


def test_gaussian_entropy():
    """NumPy: minus the integral of p log p on a fine grid, for one number of deviation 0.5."""
    x, step = np.linspace(-6, 6, 20_001, retstep=True)
    p = np.exp(-((x / 0.5) ** 2) / 2) / 0.5 / np.sqrt(2 * np.pi)
    expected = -np.sum(p * np.log(np.maximum(p, 1e-300))) * step
    output = Tensor(np.float32([[3, np.log(0.5)]]))
    np.testing.assert_allclose(gaussian(1).entropy(output).asnumpy(), [expected], rtol=1e-5)
    two = Tensor(np.float32([[3, 4, np.log(0.5), np.log(0.5)]]))
    np.testing.assert_allclose(gaussian(2).entropy(two).asnumpy(), [2 * expected], rtol=1e-5)


def test_gaussian_draws_with_its_mean_and_deviation():
    """Both, of 30 000 draws; they are known to 1 %."""
    actions = gaussian()
    noise = actions.noise(np.random.default_rng(1), 30_000)
    output = np.repeat(OUTPUT[:1], 30_000, axis=0)
    drawn = actions.sample(Tensor(output), Tensor(noise)).asnumpy()
    np.testing.assert_allclose(drawn.mean(0), MEAN[0], atol=0.03 * DEVIATION[0].max())
    np.testing.assert_allclose(drawn.std(0), DEVIATION[0], rtol=0.03)


def test_no_noise_is_the_mode():
    """The largest logit, and the mean."""
    zero = Tensor(np.zeros((8, 3), np.float32))
    greedy = Categorical(3).sample(Tensor(LOGITS), zero).asnumpy()
    np.testing.assert_array_equal(greedy, LOGITS.argmax(1))
    zero = Tensor(np.zeros((8, 2), np.float32))
    np.testing.assert_array_equal(gaussian().sample(Tensor(OUTPUT), zero).asnumpy(), OUTPUT[:, :2])


@pytest.mark.parametrize("actions", [Categorical(3), gaussian()])
def test_noise_has_the_size_asked_for(actions: Categorical | Gaussian):
    """Time and environments, then what ``sample`` adds; float32, the same for the same seed."""
    noise = actions.noise(np.random.default_rng(3), 5, 7)
    assert noise.shape == (5, 7, 3 if isinstance(actions, Categorical) else 2)
    assert noise.dtype == np.float32
    np.testing.assert_array_equal(noise, actions.noise(np.random.default_rng(3), 5, 7))


def test_environment_gets_its_own_actions():
    """By hand: choices counted from 5; from 0 to 4 the middle is 2 and the unit 2, then clipped."""
    np.testing.assert_array_equal(Categorical(3, 5).to_environment(np.array([0, 2])), [5, 7])
    low, high = np.float32([0, -np.inf]), np.float32([4, np.inf])
    action = np.float32([[0, 7], [0.5, -9], [-3, 0]])
    expected = [[2, 7], [3, -9], [0, 0]]
    found = Gaussian(low, high).to_environment(action)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.float32


def test_environment_of_integers_gets_integers():
    """By hand: from -5 to 5 the unit is 5; 1.7 is nearest to 2, 6.5 is beyond the bound."""
    actions = Gaussian(np.array([-5, -np.inf]), np.array([5, np.inf]), np.int64)
    found = actions.to_environment(np.float32([[0.34, 0.34], [1.3, -7.6], [-0.1, 7.6]]))
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, [[2, 0], [5, -8], [0, 8]])


@pytest.mark.parametrize(
    ("actions", "output", "action"),
    [(Categorical(3), LOGITS, CHOICES), (gaussian(), OUTPUT, NUMBERS)],
)
def test_jit_equals_eager(actions: Categorical | Gaussian, output: np.ndarray, action: np.ndarray):
    """The eager run: the compiled values are the same."""

    def both(output, action):
        return actions.log_prob(output, action), actions.entropy(output)

    arguments = Tensor(output), Tensor(action)
    for value, expected in zip(ms.jit(both)(*arguments), both(*arguments)):
        np.testing.assert_allclose(value.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
