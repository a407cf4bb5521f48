"""What a rollout gathers, and the stacked minibatches that a call of ``train_steps`` takes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from gymnasium import Env
from gymnasium.vector import VectorEnv

from .actions import Categorical, Gaussian
from .engine.errors import InputError


@dataclass(frozen=True)
class Dataset:
    """Environments, what they observe and which actions they take."""

    shape: tuple[int, ...]
    """shape of one observation"""
    actions: Categorical | Gaussian
    """distribution over the actions"""
    make: Callable[[int], VectorEnv]
    """makes so many copies side by side; one that ended resets in its next step"""
    make_one: Callable[[], Env]
    """makes a single environment that draws itself"""

    @property
    def outputs(self) -> int:
        """How many parameters the policy has."""
        return self.actions.outputs


class Rows(NamedTuple):
    """Steps that were taken, each (rows, ...) float32; a discrete ``action`` is an integer."""

    observation: np.ndarray
    action: np.ndarray
    log_prob: np.ndarray
    """of the action, under the policy that took it"""
    advantage: np.ndarray
    """how much better than expected the action was"""
    target: np.ndarray
    """what the value should be"""


def updates_per_rollout(rows: int, batch_size: int, passes: int) -> int:
    """Count the minibatches in ``passes`` over ``rows`` steps.

    Raises:
        InputError: not even one a pass.
    """
    if batch_size > rows:
        raise InputError(
            f"batch_size {batch_size} is larger than a rollout, environments x rollout_steps = "
            f"{rows}: use at most {rows}"
        )
    return passes * (rows // batch_size)


def minibatches(
    rows: Rows, batch_size: int, updates: int, steps_per_call: int, seed: int, epoch: int
) -> Iterator[tuple[int, list[np.ndarray]]]:
    """Yield ``(steps, arrays)``, the arrays of ``rows`` stacked to (steps_per_call, batch, ...).

    The rows are shuffled, and shuffled anew each time all have been taken, until there are enough
    for ``updates``. The order depends on ``(seed, epoch)`` alone. Every yield has the same shape
    however many rows there are, so nothing compiles twice; in the last only ``steps`` count.
    """
    rng = np.random.default_rng((seed, epoch, *b"order"))
    there = len(rows.advantage)
    passes = -(-updates * batch_size // there)
    order = np.concatenate([rng.permutation(there) for _ in range(passes)])
    order = order[: updates * batch_size].reshape(updates, batch_size)
    for start in range(0, updates, steps_per_call):
        chunk = order[start : start + steps_per_call]
        steps = len(chunk)
        chunk = np.resize(chunk, (steps_per_call, batch_size))
        yield steps, [array[chunk] for array in rows]
