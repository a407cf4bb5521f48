"""Rollouts and advantages against plain NumPy, in environments that only count."""

from dataclasses import replace

import numpy as np
import pytest
from fresh import fresh
from gymnasium import Env, spaces
from gymnasium.vector import SyncVectorEnv
from mindspore import Tensor, ops

from package import rollout
from package.actions import Categorical
from package.build import create_network
from package.config import Config
from package.data import load
from package.engine.errors import InputError
from package.rollout import Dataset
from package.train import train

LENGTHS = (3, 4)
"""steps in an episode of the first environment, which terminates, and of the second"""


class Counter(Env):
    """Observes how many steps it has taken, in all and in this episode; pays that number."""

    observation_space = spaces.Box(0, np.inf, (2,))
    action_space = spaces.Discrete(2)

    def __init__(self, length: int, truncates: bool):
        self.length, self.truncates = length, truncates
        self.total = 0

    def reset(self, *, seed=None, options=None):
        self.now = 0
        return self.observation(), {}

    def step(self, action):
        self.now += 1
        self.total += 1
        end = self.now == self.length
        terminated, truncated = end and not self.truncates, end and self.truncates
        return self.observation(), float(self.now), terminated, truncated, {}

    def observation(self) -> np.ndarray:
        return np.array([self.total, self.now], np.float32)


def counters(_: int) -> SyncVectorEnv:
    """Two environments: one of three steps that terminates, one of four that is truncated."""
    return SyncVectorEnv([lambda: Counter(3, False), lambda: Counter(4, True)])


def act(observation: np.ndarray, noise: np.ndarray) -> list[np.ndarray]:
    """Stand in for a network: the action tells the environment, its logarithm is -0.5."""
    count = len(observation)
    return [np.arange(count), np.full(count, -0.5, np.float32), value_of(observation)]


def value_of(observation: np.ndarray) -> np.ndarray:
    return 0.1 * observation[:, 0] - 0.3 * observation[:, 1]


@pytest.fixture
def counting(config: Config) -> Config:
    """Two environments, ten steps, plain advantages."""
    dataset = replace(config.dataset, environments=2, rollout_steps=10)
    return replace(config, dataset=dataset, discount=0.9, gae_lambda=0.8, normalize_advantage=False)


def collector(config: Config) -> rollout.Collector:
    dataset = Dataset((2,), Categorical(2), counters, lambda: Counter(3, False))
    made = rollout.Collector(dataset, act, config)
    made.scale = rollout.RewardScale(2, config.discount)
    return made


def advantages(steps: int, first: int, length: int, truncates: bool) -> list[float]:
    """Advantages of ``steps`` steps from step ``first`` on, each a sum written out in full."""
    results = []
    for start in range(first, first + steps):
        total, weight = 0.0, 1.0
        for t in range(start, first + steps):  # steps taken before this one
            now = t % length
            ends = now + 1 == length
            value, following = (0.1 * k - 0.3 * n for k, n in ((t, now), (t + 1, now + 1)))
            following *= not ends or truncates
            total += weight * (now + 1 + 0.9 * following - value)
            weight *= 0.9 * 0.8
            if ends:
                break
        results.append(total)
    return results


def test_rows_are_the_steps_without_the_resets(counting: Config, monkeypatch):
    """By hand: of ten steps two are resets in either environment, and the next ten run on.

    The advantages are sums over the rest of the episode, written out; the rewards' scale is 1.
    """
    monkeypatch.setattr(rollout.RewardScale, "deviation", 1.0)
    made = collector(counting)
    first, second = made.collect(1), made.collect(2)
    # o: a step, x: the reset after an end; ooox ooox oo|ox ooox ooox and oooox oooox|oooox oooox
    taken = ((8, 8), (7, 8))
    assert [len(rows.advantage) for rows in (first, second)] == [16, 15]
    begun = [0, 0]
    for rows, counts in zip((first, second), taken):
        observation = rows.observation.astype(int)
        value = value_of(rows.observation)
        for environment, truncates in ((0, False), (1, True)):
            mine = rows.action == environment
            length, start = LENGTHS[environment], begun[environment]
            expected = np.arange(start, start + counts[environment])
            np.testing.assert_array_equal(observation[mine, 0], expected)
            np.testing.assert_array_equal(observation[mine, 1], expected % length)
            by_hand = advantages(counts[environment], start, length, truncates)
            np.testing.assert_allclose(rows.advantage[mine], by_hand, rtol=1e-5)
            np.testing.assert_allclose(rows.target[mine], by_hand + value[mine], rtol=1e-5)
            begun[environment] += counts[environment]
        assert (rows.log_prob == -0.5).all()
    assert list(made.returns)[:2] == [1 + 2 + 3, 1 + 2 + 3 + 4]
    assert set(made.returns) == {6, 10}
    assert len(made.returns) == 5 + 4


def test_advantages_are_normalized_if_asked(counting: Config):
    """Mean 0 and deviation 1 over the rows; the targets are as before."""
    plain = collector(counting).collect(1)
    scaled = collector(replace(counting, normalize_advantage=True)).collect(1)
    np.testing.assert_array_equal(plain.target, scaled.target)
    expected = (plain.advantage - plain.advantage.mean()) / plain.advantage.std()
    np.testing.assert_allclose(scaled.advantage, expected, rtol=1e-4, atol=1e-5)


def test_gae_by_hand():
    """Three steps, the second one ends its episode by a time limit, or terminates, or both."""
    reward, value, next_value = (
        np.array(x)[:, None] for x in ([1.0, 1, 1], [0.5, 0.6, 0.4], [0.6, 0.7, 0.3])
    )
    no, at_1 = np.zeros((3, 1), bool), np.array([False, True, False])[:, None]
    truncated = rollout.gae(reward, value, next_value, no, at_1, 0.99, 0.95)
    np.testing.assert_allclose(truncated[:, 0], [2.12197, 1.093, 0.897], rtol=1e-5)
    terminated = rollout.gae(reward, value, next_value, at_1, at_1, 0.99, 0.95)
    np.testing.assert_allclose(terminated[:, 0], [1.4702, 0.4, 0.897], rtol=1e-5)


def test_gae_of_random_rollouts():
    """The weighted sum of the errors up to the episode's end, in plain Python."""
    rng = np.random.default_rng(0)
    reward, value, next_value = rng.normal(size=(3, 20, 4))
    terminated, truncated = rng.random((2, 20, 4)) < 0.15
    ended = terminated | truncated
    found = rollout.gae(reward, value, next_value, terminated, ended, 0.9, 0.7)
    for t in range(20):
        for i in range(4):
            total, k = 0.0, t
            while True:
                following = 0.0 if terminated[k, i] else 0.9 * next_value[k, i]
                error = reward[k, i] + following - value[k, i]
                total += (0.9 * 0.7) ** (k - t) * error
                k += 1
                if ended[k - 1, i] or k == 20:
                    break
            assert found[t, i] == pytest.approx(total)


def test_lambda_one_is_the_return_less_the_value():
    """By hand: rewards 1, 2 and 4, discount 1/2, termination: 3, 4 and 4 less the values."""
    reward, value = np.array([[1.0], [2], [4]]), np.array([[0.5], [0.25], [0.125]])
    end = np.array([[False], [False], [True]])
    next_value = np.array([[0.25], [0.125], [9]])
    found = rollout.gae(reward, value, next_value, end, end, 0.5, 1.0)
    np.testing.assert_allclose(found, [[3 - 0.5], [4 - 0.25], [4 - 0.125]])


def test_normalized_advantages():
    """By hand: 1, 3 and, not valid, 100 become -1 and 1; equal ones become 0, not NaN."""
    valid = np.array([True, True, False])
    found = rollout.normalize(np.array([1.0, 3, 100]), valid)
    np.testing.assert_allclose(found[valid], [-1, 1], rtol=1e-6)
    np.testing.assert_array_equal(rollout.normalize(np.full(3, 7.0), np.ones(3, bool)), np.zeros(3))


def test_reward_scale():
    """NumPy: the deviation of all returns so far, none at a reset, none across one."""
    scale = rollout.RewardScale(2, 0.5)
    no = np.zeros(2, bool)
    scale.update(np.array([1.0, 2.0]), no)
    scale.update(np.array([1.0, 2.0]), no)
    scale.update(np.array([0.0, 2.0]), np.array([True, False]))
    scale.update(np.array([4.0, 2.0]), no)
    returns = [1, 2, 1.5, 3, 3.5, 4, 3.75]
    assert scale.deviation == pytest.approx(np.std(returns))


def test_scale_of_rewards_that_are_all_zero():
    """Nothing is divided by 0."""
    scale = rollout.RewardScale(2, 0.5)
    scale.update(np.zeros(2), np.zeros(2, bool))
    assert scale.deviation == pytest.approx(1e-4)


def test_rewards_are_divided_by_their_scale(counting: Config, monkeypatch):
    """With a discount of 0 the target is the reward, here over 4."""
    monkeypatch.setattr(rollout.RewardScale, "deviation", 4.0)
    rows = collector(replace(counting, discount=0.0)).collect(1)
    reward = rows.observation[:, 1] + 1
    np.testing.assert_allclose(rows.target, reward / 4, rtol=1e-5)


def test_seed_and_epoch_decide_the_rollout(config: Config):
    """The same seed gives the same bits; another seed, and the next epoch, other actions."""
    dataset = load(config)
    network = create_network(config, dataset)
    acting = rollout.create_act(network, dataset.actions, "graph")

    def collect(seed: int, *epochs: int) -> list[rollout.Rows]:
        made = rollout.Collector(dataset, acting, replace(config, seed=seed))
        return [made.collect(epoch) for epoch in epochs]

    (first,), (again,), (other,) = collect(0, 1), collect(0, 1), collect(1, 1)
    for array, same, different in zip(first, again, other):
        np.testing.assert_array_equal(array, same)
        assert array.shape != different.shape or (array != different).any()
    (later,) = collect(0, 2)
    assert np.array_equal(first.observation[0], later.observation[0])
    assert not np.array_equal(first.action[:100], later.action[:100])


def test_purposes_have_their_own_seeds():
    """Training, validation and test see other episodes, and the run's seed counts."""
    seeds = {rollout.seed_of(seed, purpose) for seed in (0, 1) for purpose in (b"test", b"other")}
    assert len(seeds) == 4
    assert rollout.seed_of(3, b"test") == rollout.seed_of(3, b"test")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_reward_that_is_not_finite_is_the_environments(counting: Config, monkeypatch, value: float):
    """By hand: the second environment's third step in all; the line names it, not the rate."""
    made = collector(counting)
    step = made.environments.step

    def spoiled(action):
        observation, reward, *rest = step(action)
        reward[1] = value if observation[1, 0] == 3 else reward[1]
        return observation, reward, *rest

    monkeypatch.setattr(made.environments, "step", spoiled)
    with pytest.raises(InputError) as caught:
        made.collect(1)
    assert str(caught.value) == (
        f"environment {counting.dataset.environment!r} gave a reward that is not finite ({value}) "
        f"in step 3, in copy 1 of 2: mend the environment"
    )


def test_observation_that_is_not_finite_is_the_environments(counting: Config, monkeypatch):
    """By hand: the first environment's reset gives NaN for the second number."""
    monkeypatch.setattr(Counter, "observation", lambda self: np.array([1, np.nan], np.float32))
    with pytest.raises(InputError, match=r"observation .* \(1, nan\) at its first reset, in copy"):
        collector(counting)


def test_what_a_diverged_network_does_is_not_the_environments(counting: Config, monkeypatch):
    """An environment may answer NaN with NaN."""
    made = collector(counting)
    spoiled = np.full((2, 2), np.nan, np.float32), np.full(2, np.nan), *np.zeros((2, 2), bool)
    monkeypatch.setattr(made.environments, "step", lambda action: (*spoiled, {}))
    reward, _, _ = made.step(np.full(2, np.nan))
    assert np.isnan(reward).all()


def test_ratio_before_the_first_update_is_one(short: Config):
    """Acting and learning agree on every action's probability, row by row."""
    task = fresh(short)
    arrays = next(iter(task.feed(1, 0))).arrays
    observation, action, old_log_prob, *_ = (Tensor(x[0]) for x in arrays)
    log_prob = load(short).actions.log_prob(task.network(observation)[:, :-1], action)
    ratio = ops.exp(log_prob - old_log_prob)
    assert ratio.shape == (short.batch_size,)
    np.testing.assert_allclose(ratio.asnumpy(), 1, rtol=1e-6)


def test_continuous_actions(short: Config):
    """Pendulum trains: its 200 steps a turn are a return of some -1200 at first."""
    short.dataset.environment, short.dataset.rollout_steps = "Pendulum-v1", 250
    assert -2000 < train(replace(short, epochs=1), quiet=True).metrics["return_mean"] < -100
