"""Gymnasium environments."""

import difflib
from contextlib import closing
from functools import partial

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.vector import AutoresetMode

from .actions import Categorical, Gaussian
from .config import Config
from .engine.errors import InputError
from .rollout import Dataset


def load(config: Config) -> Dataset:
    """Look up ``dataset.environment`` and make its copies when they are needed.

    Observations are a Box, taken as float32; actions are Discrete or a Box of one dimension.
    Episodes end as the environment and its time limit say. M. Towers et al., *Gymnasium: a
    standard interface for reinforcement learning environments*, 2024.

    Raises:
        InputError: rollouts of one step; no such environment, or one with other observations or
            actions or without a time limit.
    """
    name = config.dataset.environment
    if config.dataset.rollout_steps < 2:
        raise InputError(
            f"dataset.rollout_steps {config.dataset.rollout_steps} is too few, since an ended "
            f"episode spends one on its reset: use at least 2"
        )
    try:
        environments = gym.make_vec(name)
    except gym.error.UnregisteredEnv as error:
        near = difflib.get_close_matches(name, gym.registry, cutoff=0.7) or ["CartPole-v1"]
        raise InputError(
            f"there is no environment {name!r}: the nearest name is {near[0]}"
        ) from error
    except Exception as error:  # a module named before a colon is the user's, and may raise any
        reason = " ".join(str(error).split())
        raise InputError(f"environment {name!r} cannot be made: {reason}") from error
    with closing(environments):
        if environments.metadata["autoreset_mode"] != AutoresetMode.NEXT_STEP:
            raise InputError(f"environment {name!r} does not reset in a step of its own")
        if environments.spec is None or environments.spec.max_episode_steps is None:
            raise InputError(
                f"environment {name!r} has no time limit, so an evaluation might never end: "
                f"register it with max_episode_steps"
            )
        observations = environments.single_observation_space
        if not isinstance(observations, Box):
            raise InputError(
                f"environment {name!r} observes {observations}: use one that observes a Box of "
                f"numbers, such as CartPole-v1"
            )
        actions = actions_of(environments.single_action_space, name)
    make_one = partial(gym.make, name, render_mode="rgb_array")
    return Dataset(observations.shape, actions, partial(gym.make_vec, name), make_one)


def actions_of(space: Space, name: str) -> Categorical | Gaussian:
    """Choose the distribution over a space of actions.

    Raises:
        InputError: there is none for it.
    """
    if isinstance(space, Discrete):
        return Categorical(int(space.n), int(space.start))
    if isinstance(space, Box) and len(space.shape) == 1:
        low = np.where(space.bounded_below, space.low, -np.inf)  # else the least integer there is
        high = np.where(space.bounded_above, space.high, np.inf)
        return Gaussian(low, high, space.dtype)
    raise InputError(
        f"environment {name!r} takes {space}: use one that takes Discrete actions or a Box of one "
        f"dimension, such as CartPole-v1 or Pendulum-v1"
    )
