"""Proximal policy optimisation in one file, in PyTorch, with the settings of the rendered project."""

from collections.abc import Callable

import gymnasium as gym
import numpy as np
import torch
from torch import nn

from ..cases import LEARNING_RATE, Case

ENVIRONMENTS, STEPS = 64, 32
DISCOUNT, LAMBDA, CLIP = 0.99, 0.95, 0.2


def perceptron(outputs: int, gain: float) -> nn.Sequential:
    """Two hidden layers with tanh, orthogonal at first."""
    layers = [nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)]
    for layer, size in zip(layers[::2], (2**0.5, 2**0.5, gain)):
        nn.init.orthogonal_(layer.weight, size)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


def prepare_ppo(case: Case, compiled: bool) -> Callable[[int], float]:
    """Make the rollout and its updates; an epoch is one of each."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    environments = gym.make_vec("CartPole-v1", num_envs=ENVIRONMENTS)
    observation, _ = environments.reset(seed=0)
    ended = np.zeros(ENVIRONMENTS, np.bool_)
    actor, critic = perceptron(2, 0.01), perceptron(1, 1.0)
    parameters = [*actor.parameters(), *critic.parameters()]
    optimizer = torch.optim.Adam(parameters, LEARNING_RATE)

    def loss_fn(observation, action, old_log_prob, advantage, target):
        distribution = torch.distributions.Categorical(logits=actor(observation))
        ratio = (distribution.log_prob(action) - old_log_prob).exp()
        surrogate = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage)
        error = 0.5 * (critic(observation)[:, 0] - target) ** 2
        return (-surrogate + 0.5 * error - 0.01 * distribution.entropy()).mean()

    forward = torch.compile(loss_fn) if compiled else loss_fn

    def epoch(number: int) -> float:
        nonlocal observation, ended
        steps = []
        with torch.no_grad():
            for _ in range(STEPS):
                x = torch.as_tensor(observation, dtype=torch.float32)
                distribution = torch.distributions.Categorical(logits=actor(x))
                action = distribution.sample()
                log_prob, value = distribution.log_prob(action), critic(x)[:, 0]
                valid = ~ended
                observation, reward, terminated, truncated, _ = environments.step(action.numpy())
                ended = terminated | truncated
                steps.append(
                    (x.numpy(), action.numpy(), log_prob.numpy(), value.numpy(), valid)
                    + (reward, terminated, ended)
                )
            last = critic(torch.as_tensor(observation, dtype=torch.float32))[:, 0].numpy()
        x, action, log_prob, value, valid, reward, terminated, over = map(np.stack, zip(*steps))
        following = np.concatenate([value[1:], last[None]])
        delta = reward + DISCOUNT * following * ~terminated - value
        advantage, carried = np.zeros_like(delta), np.zeros(ENVIRONMENTS)
        for t in reversed(range(STEPS)):
            carried = delta[t] + DISCOUNT * LAMBDA * carried * ~over[t]
            advantage[t] = carried
        target = (advantage + value)[valid]
        advantage = advantage[valid]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        rows = [
            torch.as_tensor(array, dtype=dtype)
            for array, dtype in (
                (x[valid], torch.float32),
                (action[valid], torch.int64),
                (log_prob[valid], torch.float32),
                (advantage, torch.float32),
                (target, torch.float32),
            )
        ]
        losses = []
        updates = case.updates  # as many whatever was dropped: rows are then taken more often
        wanted = updates * case.batch_size
        passes = -(-wanted // len(advantage))
        order = np.concatenate([rng.permutation(len(advantage)) for _ in range(passes)])[:wanted]
        for chosen in torch.from_numpy(order.reshape(updates, case.batch_size)):
            optimizer.zero_grad()
            loss = forward(*[row[chosen] for row in rows])
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    return epoch
