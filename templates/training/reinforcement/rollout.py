"""Acting: rollouts of the policy, and the advantages of what it did."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from gymnasium import Env
from gymnasium.vector import VectorEnv
from mindspore import Tensor, float32, nn

from .actions import Categorical, Gaussian
from .config import Config
from .engine.errors import InputError
from .engine.runtime import compiled

WINDOW = 100
"""episodes over which the return in training is averaged"""

Act = Callable[[np.ndarray, np.ndarray], list[np.ndarray]]
"""``act(observation, noise) -> [action, log_prob, value]``, each with one entry an environment"""


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


def create_act(network: nn.Cell, actions: Categorical | Gaussian, execution: str) -> Act:
    """Make ``act``; noise of 0 makes it greedy."""

    def forward(observation, noise):
        output = network(observation).astype(float32)
        action = actions.sample(output[:, :-1], noise)
        return action, actions.log_prob(output[:, :-1], action), output[:, -1]

    forward = compiled(forward, execution)

    def act(observation: np.ndarray, noise: np.ndarray) -> list[np.ndarray]:
        results = forward(Tensor(observation.astype(np.float32)), Tensor(noise))
        return [x.asnumpy() for x in results]

    return act


def seed_of(seed: int, purpose: bytes) -> int:
    """Derive the seed of the environments that serve one purpose."""
    return int(np.random.SeedSequence((seed, *purpose)).generate_state(1)[0])


def check_finite(name: str, when: str, **given: np.ndarray) -> None:
    """Accept what the environments give, arrays (environments, ...).

    Args:
        name: of the environment.
        when: what it gave them in answer to.
        given: the arrays, by what they are.

    Raises:
        InputError: NaN or infinity among them, which no learning rate would mend.
    """
    for what, array in given.items():
        values = array.reshape(len(array), -1).astype(np.float32)
        bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
        if len(bad):
            shown = ", ".join(f"{value:g}" for value in values[bad[0]][:4])
            raise InputError(
                f"environment {name!r} gave a {what} that is not finite ({shown}) {when}, in copy "
                f"{bad[0]} of {len(array)}: mend the environment"
            )


class Collector:
    """Environments that run on from rollout to rollout, and the policy in them.

    Args:
        dataset: makes the environments.
        act: the policy.
        config: settings of the run.
    """

    def __init__(self, dataset: Dataset, act: Act, config: Config):
        self.actions, self.act, self.config = dataset.actions, act, config
        self.environments = dataset.make(config.dataset.environments)
        seed = seed_of(config.seed, b"training")
        self.observation, _ = self.environments.reset(seed=seed)
        check_finite(config.dataset.environment, "at its first reset", observation=self.observation)
        self.ended = np.zeros(config.dataset.environments, np.bool_)
        self.episode = np.zeros(config.dataset.environments)
        self.returns: deque[float] = deque(maxlen=WINDOW)
        """of the last episodes that ended, not discounted"""
        self.scale = RewardScale(config.dataset.environments, config.discount)
        self.taken: list[np.ndarray] = []
        """every action so far, from which a new collector comes to where this one is"""

    def collect(self, epoch: int) -> Rows:
        """Take ``rollout_steps`` steps in every environment.

        An environment whose episode has ended spends its next step on its reset. Such a step
        counts neither as a row nor in the advantages of others, so there are at most
        environments x rollout_steps rows.
        """
        size = self.config.dataset.rollout_steps, self.config.dataset.environments
        rng = np.random.default_rng((self.config.seed, epoch, *b"actions"))
        steps = []
        for noise in self.actions.noise(rng, *size):
            action, log_prob, value = self.act(self.observation, noise)
            steps.append(
                (self.observation, action, log_prob, value, ~self.ended, *self.step(action))
            )
        last_value = self.act(self.observation, noise)[2]
        observation, action, log_prob, value, valid, reward, terminated, truncated = map(
            np.stack, zip(*steps)
        )
        # an ended episode's last observation is that of the step in which it resets
        next_value = np.concatenate([value[1:], last_value[None]])
        advantage = gae(
            reward / self.scale.deviation,
            value,
            next_value,
            terminated,
            terminated | truncated,
            self.config.discount,
            self.config.gae_lambda,
        )
        target = advantage + value
        if self.config.normalize_advantage:
            advantage = normalize(advantage, valid)
        return Rows(
            observation[valid].astype(np.float32),
            action[valid],
            log_prob[valid],
            advantage[valid].astype(np.float32),
            target[valid].astype(np.float32),
        )

    def step(self, action: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Act in every environment; return ``reward``, ``terminated`` and ``truncated``.

        Raises:
            InputError: the environment's answer to a finite action is not finite.
        """
        self.taken.append(action)
        sent = self.actions.to_environment(action)
        self.observation, reward, terminated, truncated, _ = self.environments.step(sent)
        if np.isfinite(action).all():
            answer = {"reward": reward, "observation": self.observation}
            check_finite(self.config.dataset.environment, f"in step {len(self.taken)}", **answer)
        self.scale.update(reward, self.ended)
        self.episode += reward
        self.ended = terminated | truncated
        self.returns.extend(self.episode[self.ended])
        self.episode[self.ended] = 0
        return reward, terminated, truncated

    def history(self) -> dict[str, np.ndarray]:
        """Return what ``replay`` takes."""
        return {"taken": np.stack(self.taken), "observation": self.observation}

    def replay(self, taken: np.ndarray, observation: np.ndarray) -> None:
        """Take the actions of an earlier process again, (steps, environments, ...).

        Nothing of an environment is saved, whose insides need not be data: it is led to where it
        was.

        Raises:
            InputError: it does not come to ``observation``, the last of that process.
        """
        for action in taken:
            self.step(action)
        if not np.array_equal(self.observation, observation):
            raise InputError(
                "the environments do not come to where they were by the actions that were taken: "
                "they draw on more than their seed, or another version of them is installed"
            )


class RewardScale:
    """The deviation of the discounted return, by which rewards are divided.

    The values to learn are then about as large in every environment, and so are the losses. The
    return at a step is that of the rewards up to it. L. Engstrom et al., *Implementation matters
    in deep policy gradients*, 2020.

    Args:
        environments: how many there are.
        discount: what a reward is worth one step later.
    """

    def __init__(self, environments: int, discount: float):
        self.discount = discount
        self.discounted = np.zeros(environments)
        self.sums = np.zeros(3)
        """of 1, the return and its square"""

    def update(self, reward: np.ndarray, reset: np.ndarray) -> None:
        """Take in one step's rewards; where ``reset``, an episode starts after it."""
        self.discounted = np.where(reset, 0, self.discount * self.discounted + reward)
        x = self.discounted[~reset]
        self.sums += len(x), x.sum(), np.square(x).sum()

    @property
    def deviation(self) -> float:
        """Standard deviation of the discounted return so far, at least 1e-4."""
        count, total, square = self.sums
        mean = total / count
        return max(float(square / count - mean**2), 1e-8) ** 0.5


def gae(
    reward: np.ndarray,
    value: np.ndarray,
    next_value: np.ndarray,
    terminated: np.ndarray,
    ended: np.ndarray,
    discount: float,
    gae_lambda: float,
) -> np.ndarray:
    r"""Generalised advantage estimation over time, the first axis.

    .. math::
        \delta_t = r_t + \gamma V(s_{t+1}) - V(s_t), \quad
        A_t = \delta_t + \gamma \lambda A_{t+1}

    Where the episode terminated, nothing follows: :math:`V(s_{t+1})` counts as 0. Where it was
    truncated, or the rollout ends, :math:`V(s_{t+1})` stands for what would have followed. In
    neither case does :math:`A_{t+1}`, another episode's, count. With :math:`\lambda = 1` the
    advantage is the return minus the value. J. Schulman, P. Moritz, S. Levine, M. Jordan and
    P. Abbeel, *High-dimensional continuous control using generalized advantage estimation*, 2016.

    Args:
        reward: :math:`r_t`, (time, ...), as are the others.
        value: :math:`V(s_t)`.
        next_value: :math:`V(s_{t+1})` of the observation that the step led to, the last of its
            episode included.
        terminated: the step ended its episode by the environment's own rules.
        ended: the step ended its episode, by termination or by truncation.
        discount: :math:`\gamma`, what a reward is worth one step later.
        gae_lambda: :math:`\lambda`, 0 for the least variance, 1 for no bias.
    """
    delta = reward + discount * next_value * ~terminated - value
    advantage = np.zeros_like(delta)
    following = np.zeros_like(delta[0])
    for t in reversed(range(len(delta))):
        following = delta[t] + discount * gae_lambda * following * ~ended[t]
        advantage[t] = following
    return advantage


def normalize(advantage: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Shift and scale to mean 0 and deviation 1 over the ``valid`` ones; equal ones become 0."""
    mean, deviation = advantage[valid].mean(), advantage[valid].std()
    return (advantage - mean) / (deviation + 1e-8)
