"""Distributions over actions: how they are drawn, and how likely each was."""

import math

import numpy as np
from mindspore import Tensor, ops
from numpy.typing import DTypeLike


class Categorical:
    """One of several actions; the network gives their logits, (batch, choices).

    Args:
        choices: number of actions.
        first: what the environment calls the first one.
    """

    deviations = 0
    """logarithms of deviations among the network's outputs"""

    def __init__(self, choices: int, first: int = 0):
        self.outputs = choices
        self.first = first

    def noise(self, rng: np.random.Generator, *size: int) -> np.ndarray:
        """Draw what ``sample`` needs, (*size, choices) float32."""
        return rng.gumbel(size=(*size, self.outputs)).astype(np.float32)

    def sample(self, output: Tensor, noise: Tensor) -> Tensor:
        """Choose the action of the largest sum of logit and Gumbel noise; noise 0 gives the mode.

        E. J. Gumbel, *Statistical theory of extreme values*, 1954.
        """
        return ops.argmax(output + noise, 1)

    def log_prob(self, output: Tensor, action: Tensor) -> Tensor:
        """Return the logarithm of the probability of each action, (batch,)."""
        logs = ops.log_softmax(output, 1)
        return ops.gather_elements(logs, 1, action.reshape((-1, 1))).reshape((-1,))

    def entropy(self, output: Tensor) -> Tensor:
        r"""Return :math:`-\sum_a \pi(a) \log \pi(a)` in nats, (batch,)."""
        logs = ops.log_softmax(output, 1)
        return -ops.sum(ops.exp(logs) * logs, 1)

    def to_environment(self, action: np.ndarray) -> np.ndarray:
        """Turn (batch,) of 0 to choices - 1 into the environment's own names."""
        return action + self.first


class Gaussian:
    """A vector of independent normal numbers; the network gives means and log deviations.

    Its output is (batch, 2 * size), the means first. An action's unit is half the range between
    its bounds, from their middle, so that a deviation of 1 covers the range; it is 1 where there
    are no bounds. An environment that takes whole numbers gets the nearest ones.

    Args:
        low: lower bound of each number, (size,).
        high: upper bound, likewise.
        dtype: what the environment takes, of integers or floats.
    """

    def __init__(self, low: np.ndarray, high: np.ndarray, dtype: DTypeLike = np.float32):
        self.dtype = np.dtype(dtype)
        self.low, self.high = low, high
        bounded = np.isfinite(low) & np.isfinite(high)
        least, most = np.where(bounded, low, -1), np.where(bounded, high, 1)
        self.middle, self.unit = np.float32((least + most) / 2), np.float32((most - least) / 2)
        self.deviations = len(low)
        self.outputs = 2 * len(low)

    def noise(self, rng: np.random.Generator, *size: int) -> np.ndarray:
        """Draw what ``sample`` needs, (*size, deviations) float32."""
        return rng.standard_normal((*size, self.deviations), np.float32)

    def sample(self, output: Tensor, noise: Tensor) -> Tensor:
        """Return the mean plus the deviation times standard normal noise; 0 gives the mode."""
        return output[:, : self.deviations] + ops.exp(output[:, self.deviations :]) * noise

    def log_prob(self, output: Tensor, action: Tensor) -> Tensor:
        """Return the logarithm of the density of each action, (batch,)."""
        mean, log_deviation = output[:, : self.deviations], output[:, self.deviations :]
        distance = (action - mean) * ops.exp(-log_deviation)
        constant = 0.5 * math.log(2 * math.pi)
        return -ops.sum(0.5 * ops.square(distance) + log_deviation + constant, 1)

    def entropy(self, output: Tensor) -> Tensor:
        r"""Return :math:`\sum_i \log(\sigma_i \sqrt{2 \pi e})` in nats, (batch,)."""
        constant = 0.5 * math.log(2 * math.pi * math.e)
        return ops.sum(output[:, self.deviations :] + constant, 1)

    def to_environment(self, action: np.ndarray) -> np.ndarray:
        """Turn (batch, size) into the environment's units and type, clipped to its bounds."""
        action = np.clip(self.middle + self.unit * action, self.low, self.high)
        return (np.rint(action) if self.dtype.kind in "iu" else action).astype(self.dtype)
