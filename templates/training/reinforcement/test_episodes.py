"""Returns over whole episodes, and the picture of one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gymnasium import Env, spaces
from gymnasium.vector import SyncVectorEnv
from PIL import Image, ImageSequence

from package import episodes as playing
from package.__main__ import main
from package.actions import Categorical
from package.config import Config
from package.data import load
from package.engine.errors import InputError
from package.train import train

ACTIONS = Categorical(2)


class Episodes(Env):
    """Episode number k takes ``lengths[k]`` steps, each of which pays 1 for action 1."""

    observation_space = spaces.Box(0, np.inf, (1,))
    action_space = spaces.Discrete(2)

    def __init__(self, lengths: list[int]):
        self.lengths = iter(lengths)

    def reset(self, *, seed=None, options=None):
        self.left = next(self.lengths)
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.left -= 1
        return np.zeros(1, np.float32), float(action), self.left == 0, False, {}


def act(observation: np.ndarray, noise: np.ndarray) -> list[np.ndarray]:
    """Stand in for a network that prefers action 1."""
    assert not noise.any()
    assert noise.shape == (len(observation), 2)
    return [np.ones(len(observation), np.int64)]


def environments() -> SyncVectorEnv:
    """Two environments, one with short episodes and one with long ones."""
    short, long = [1, 2, 1, 2, 1, 2, 1, 2, 1], [5, 7, 9, 9]
    return SyncVectorEnv([lambda: Episodes(short), lambda: Episodes(long)])


@pytest.mark.parametrize(
    ("episodes", "returns"), [(1, [1]), (2, [1, 5]), (3, [1, 5, 2]), (4, [1, 5, 2, 7])]
)
def test_every_environment_plays_as_often(episodes: int, returns: list[int]):
    """By hand: the first episodes of both, then the second ones, however long they take."""
    found = playing.evaluate_policy(act, ACTIONS, environments(), episodes, seed=0)
    assert found.tolist() == returns


def falls(observation: np.ndarray, noise: np.ndarray) -> list[np.ndarray]:
    """Stand in for a network that always pushes to the right: the pole falls after ten steps."""
    return [np.ones(len(observation), np.int64)]


def test_seed_decides_the_episodes(config: Config):
    """The same seed gives the same returns, another one others."""
    dataset = load(config)
    found = [
        playing.evaluate_policy(falls, dataset.actions, dataset.make(8), 32, seed)
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_gif_shows_a_whole_episode(config: Config, tmp_path: Path):
    """A falling pole: as long as Gymnasium's own loop takes, at 50 frames a second."""
    dataset = load(config)
    playing.draw_episode(falls, dataset, 3, tmp_path / "a.gif", seed=5)
    environment = dataset.make_one()
    environment.reset(seed=5)
    steps = next(k for k in range(1, 100) if environment.step(1)[2])
    with Image.open(tmp_path / "a.gif") as image:
        assert image.format == "GIF"
        frames = list(ImageSequence.all_frames(image))
    assert sum(frame.info["duration"] for frame in frames) == 20 * (steps + 1)
    first, last = (np.asarray(frame.convert("RGB")) for frame in (frames[0], frames[-1]))
    assert (first != last).any()


def test_gif_under_another_name_is_refused(config: Config, tmp_path: Path):
    """The line names the file; nothing is written."""
    with pytest.raises(InputError, match="a.png' does not end in .gif"):
        playing.draw_episode(falls, load(config), 3, tmp_path / "a.png", seed=0)
    assert not list(tmp_path.iterdir())


def test_gif_that_cannot_be_made_is_refused(config: Config, tmp_path: Path):
    """An environment that does not draw itself, and a folder that is not there."""
    dataset = load(config)
    blind = replace(dataset, make=lambda _: environments())
    with pytest.raises(InputError, match="does not draw itself"):
        playing.draw_episode(falls, blind, 3, tmp_path / "a.gif", seed=0)
    with pytest.raises(InputError, match="cannot be written"):
        playing.draw_episode(falls, dataset, 3, tmp_path / "no" / "a.gif", seed=0)


def test_evaluate_draws_an_episode(short: Config, tmp_path: Path):
    """An animated GIF of the trained policy."""
    run = train(replace(short, epochs=1), quiet=True).folder
    gif = tmp_path / "episode.gif"
    main(["evaluate", "--checkpoint", str(run), f"--gif={gif}"])
    assert gif.read_bytes().startswith(b"GIF89a")
