"""Whole episodes of a policy: their returns, and a film of one."""

import os
from contextlib import closing
from pathlib import Path

import numpy as np
from gymnasium import Env
from gymnasium.error import DependencyNotInstalled
from gymnasium.vector import VectorEnv
from PIL import Image

from .actions import Categorical, Gaussian
from .engine.errors import InputError
from .rollout import Act, Dataset


def evaluate_policy(
    act: Act, actions: Categorical | Gaussian, environments: VectorEnv, episodes: int, seed: int
) -> np.ndarray:
    """Return the returns, not discounted, of ``episodes`` whole episodes, (episodes,).

    The policy is greedy: it takes the most likely action. Each environment plays as many episodes
    as the others, so that short ones do not count more often than long ones.
    """
    count = environments.num_envs
    rounds = -(-episodes // count)
    noise = np.zeros_like(actions.noise(np.random.default_rng(0), count))
    observation, _ = environments.reset(seed=seed)
    returns: list[list[float]] = [[] for _ in range(count)]
    episode = np.zeros(count)
    while min(map(len, returns)) < rounds:
        action = actions.to_environment(act(observation, noise)[0])
        observation, reward, terminated, truncated, _ = environments.step(action)
        episode += reward
        for i in np.flatnonzero(terminated | truncated):
            returns[i].append(episode[i])
            episode[i] = 0
    return np.array([played[:rounds] for played in returns]).T.ravel()[:episodes]


def draw_episode(act: Act, dataset: Dataset, copies: int, path: Path, seed: int) -> None:
    """Write one episode of the greedy policy to ``path``, an animated GIF.

    Args:
        act: the policy; it takes observations of ``copies`` environments.
        dataset: makes the environment.
        copies: what ``act`` takes.
        path: the file.
        seed: of the environment.

    Raises:
        InputError: the environment does not draw itself, or the file cannot be written.
    """
    if path.suffix.lower() != ".gif":
        raise InputError(f"--gif {str(path)!r} does not end in .gif: name a file that does")
    with closing(dataset.make(1)) as environments:
        if "rgb_array" not in environments.metadata.get("render_modes", []):
            raise InputError("the environment does not draw itself: leave --gif out")
    for part in ("VIDEO", "AUDIO"):  # pygame, with which many draw, would look for a screen
        os.environ.setdefault(f"SDL_{part}DRIVER", "dummy")
    noise = np.zeros_like(dataset.actions.noise(np.random.default_rng(0), copies))
    try:
        environment = dataset.make_one()
        observation, _ = environment.reset(seed=seed)
        frames = [frame_of(environment)]
        ended = False
        while not ended:
            action = act(np.stack([observation] * copies), noise)[0]
            action = dataset.actions.to_environment(action)[0]
            observation, _, terminated, truncated, _ = environment.step(action)
            frames.append(frame_of(environment))
            ended = terminated or truncated
        environment.close()
    except DependencyNotInstalled as error:
        raise InputError(f"the environment cannot draw itself: {error}") from error
    milliseconds = 1000 / environment.metadata.get("render_fps", 30)
    try:
        frames[0].save(
            path, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, loop=0
        )
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}") from error


def frame_of(environment: Env) -> Image.Image:
    """Draw the environment as it is now, in 32 colours."""
    return Image.fromarray(np.asarray(environment.render())).quantize(32)
