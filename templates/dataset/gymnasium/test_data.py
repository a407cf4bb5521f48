"""Environments against what Gymnasium documents of them."""

import gymnasium as gym
import numpy as np
import pytest

from package.actions import Categorical, Gaussian
from package.config import Config
from package.data import actions_of, load
from package.engine.errors import InputError


def config_of(environment: str) -> Config:
    config = Config()
    config.dataset.environment = environment
    return config


def test_discrete_actions():
    """Oracle: Gymnasium's page of CartPole, 4 numbers observed, 2 actions, called 0 and 1."""
    dataset = load(config_of("CartPole-v1"))
    assert (dataset.shape, dataset.outputs) == ((4,), 2)
    assert isinstance(dataset.actions, Categorical)
    assert dataset.actions.first == 0


def test_continuous_actions():
    """Oracle: Gymnasium's page of Pendulum, 3 numbers observed, one torque from -2 to 2."""
    dataset = load(config_of("Pendulum-v1"))
    assert (dataset.shape, dataset.outputs) == ((3,), 2)
    assert isinstance(dataset.actions, Gaussian)
    assert (dataset.actions.low, dataset.actions.high) == (-2, 2)


class Lift(gym.Env):
    """Pays for being on floor 3; takes how many floors to go, as an integer and nothing else."""

    observation_space = gym.spaces.Box(0, 9, (1,))
    action_space = gym.spaces.Box(-2, 2, (1,), np.int64)

    def reset(self, *, seed=None, options=None):
        self.floor = 0
        return np.float32([self.floor]), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.floor = min(max(self.floor + action[0], 0), 9)
        return np.float32([self.floor]), float(self.floor == 3), False, False, {}


def test_box_of_integers_gets_integers(monkeypatch):
    """Oracle: the environment's own space, which holds integers from -2 to 2 only."""
    monkeypatch.setattr(gym.envs.registration, "registry", gym.registry.copy())
    gym.register("Lift-v0", entry_point=Lift, max_episode_steps=20)
    dataset = load(config_of("Lift-v0"))
    environments = dataset.make(50)
    environments.reset(seed=0)
    noise = 2 * dataset.actions.noise(np.random.default_rng(0), 50)
    action = dataset.actions.to_environment(noise)
    assert set(action[:, 0].tolist()) == {-2, -1, 0, 1, 2}
    environments.step(action)
    environments.close()


def test_integers_without_bounds_have_unit_one():
    """Oracle: no bounds, the unit is 1; the least int64 is none."""
    actions = actions_of(gym.spaces.Box(-np.inf, np.inf, (1,), np.int64), "here")
    assert actions.to_environment(np.float32([[-3.2]])).tolist() == [[-3]]


def test_first_action_is_the_environments():
    """Oracle: a space that counts from 5."""
    actions = actions_of(gym.spaces.Discrete(3, start=5), "here")
    assert (actions.outputs, actions.first) == (3, 5)


@pytest.mark.parametrize("environment", ["CartPole-v1", "Pendulum-v1", "MountainCar-v0"])
def test_copies_step_together_and_reset_by_themselves(environment: str):
    """Oracle: a time limit of 500 or 200 steps; the step after an end is the reset, of reward 0."""
    dataset = load(config_of(environment))
    environments = dataset.make(3)
    rng = np.random.default_rng(0)
    observation, _ = environments.reset(seed=0)
    assert observation.shape == (3, *dataset.shape)
    ended = np.zeros(3, bool)
    for _ in range(520):
        choice = rng.integers(dataset.outputs, size=3)
        if isinstance(dataset.actions, Gaussian):
            choice = dataset.actions.noise(rng, 3)
        action = dataset.actions.to_environment(choice)
        _, reward, terminated, truncated, _ = environments.step(action)
        assert reward.shape == terminated.shape == (3,)
        assert not (reward[ended].any() or terminated[ended].any() or truncated[ended].any())
        if (ended := terminated | truncated).any():
            break
    assert ended.any()
    _, reward, terminated, truncated, _ = environments.step(action)
    assert not (reward[ended].any() or terminated[ended].any() or truncated[ended].any())
    environments.close()


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ("CartPol-v1", "no environment 'CartPol-v1': the nearest name is CartPole-v1"),
        ("CartPole-v9", "no environment 'CartPole-v9': the nearest name is CartPole-v"),
        ("Zzz-v0", "no environment 'Zzz-v0'"),
        ("?", r"environment '\?' cannot be made: Malformed"),
        ("", "environment '' cannot be made: Malformed"),
        (":x", "environment ':x' cannot be made: Empty module name"),
        ("a:b:c", "environment 'a:b:c' cannot be made"),
        ("nowhere:CartPole-v1", "'nowhere:CartPole-v1' cannot be made: .*nowhere"),
        ("FrozenLake-v1", r"observes Discrete\(16\): use one that observes a Box"),
    ],
)
def test_environment_that_cannot_be_used_is_refused(environment: str, message: str):
    """One line with the name, and what would work."""
    with pytest.raises(InputError, match=message):
        load(config_of(environment))


@pytest.mark.parametrize(
    "space", [gym.spaces.MultiBinary(3), gym.spaces.Box(0, 1, (2, 2)), gym.spaces.Box(0, 1, ())]
)
def test_actions_that_cannot_be_taken_are_refused(space: gym.Space):
    """The line names the space, and environments that would work."""
    with pytest.raises(InputError, match="takes .*such as CartPole-v1 or Pendulum-v1"):
        actions_of(space, "here")


def test_rollout_of_one_step_is_refused():
    """By hand: the only step may be a reset, and nothing would be left to learn from."""
    config = config_of("CartPole-v1")
    config.dataset.rollout_steps = 1
    with pytest.raises(InputError, match="rollout_steps 1 is too few"):
        load(config)


def test_environment_without_a_time_limit_is_refused(monkeypatch):
    """Oracle: CartPole's own entry, with the limit left out."""
    entry = gym.spec("CartPole-v1").entry_point
    monkeypatch.setattr(gym.envs.registration, "registry", gym.registry.copy())
    gym.register("Endless-v0", entry_point=entry)
    with pytest.raises(InputError, match="'Endless-v0' has no time limit"):
        load(config_of("Endless-v0"))
