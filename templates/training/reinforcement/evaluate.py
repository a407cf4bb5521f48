"""Returns of a policy over whole episodes."""

import os
from contextlib import closing
from pathlib import Path

import numpy as np
from gymnasium import Env
from gymnasium.error import DependencyNotInstalled
from gymnasium.vector import VectorEnv
from PIL import Image
from rich.console import Console
from rich.table import Table

from .engine import checkpoint, runtime
from .actions import Categorical, Gaussian
from .batches import Dataset
from .build import create_network
from .config import Config
from .data import load
from .engine.errors import InputError
from .rollout import Act, create_act, seed_of
from .engine.run import to_json


def evaluate_policy(
    act: Act, actions: Categorical | Gaussian, environments: VectorEnv, episodes: int, seed: int
) -> dict[str, float]:
    """Return mean and deviation of the return, not discounted, over ``episodes`` whole episodes.

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
    return summarize(np.array([played[:rounds] for played in returns]).T.ravel()[:episodes])


def summarize(returns: np.ndarray) -> dict[str, float]:
    """Return mean and standard deviation of the returns of episodes."""
    return {"return_mean": float(np.mean(returns)), "return_std": float(np.std(returns))}


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


def evaluate(
    config: Config, path: Path, as_json: bool, gif: Path | None = None
) -> dict[str, float]:
    """Evaluate the weights in ``path`` over ``evaluation_episodes`` and print the result.

    Args:
        config: settings of the run that made the weights.
        path: the checkpoint.
        as_json: print one JSON object instead of a table.
        gif: where to draw an episode, if anywhere.
    """
    runtime.start(config.device, config.execution, config.seed)
    dataset = load(config)
    network = create_network(config, dataset)
    checkpoint.load(network, path)
    act = create_act(network, dataset.actions, config.execution)
    seed = seed_of(config.seed, b"test")
    copies = config.dataset.environments
    if gif:
        draw_episode(act, dataset, copies, gif, seed)
    with closing(dataset.make(copies)) as environments:
        result = evaluate_policy(
            act, dataset.actions, environments, config.evaluation_episodes, seed
        )
    if as_json:
        print(to_json(result))
    else:
        table = Table("metric", "test")
        for name, value in result.items():
            table.add_row(name, f"{value:.6g}")
        print(path)
        Console().print(table)
    return result
