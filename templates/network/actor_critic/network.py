"""A policy and a value function."""

import math

import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Orthogonal


class ActorCritic(nn.Cell):
    """Two perceptrons with tanh over the same observation: the actor and the critic.

    The weights start orthogonal, the actor's last layer so small that every action is about as
    likely at first: M. Andrychowicz et al., *What matters in on-policy reinforcement learning?*,
    2021.

    Args:
        shape: shape of one observation; it is flattened.
        outputs: parameters of the policy, ``deviations`` included.
        deviations: how many of them, the last, are logarithms of deviations: one for each
            continuous action. They are weights, the same for every observation.
        width: width of each hidden layer.
        depth: number of hidden layers.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        outputs: int,
        deviations: int = 0,
        width: int = 64,
        depth: int = 2,
    ):
        super().__init__()
        inputs = math.prod(shape)
        self.actor = perceptron(inputs, width, depth, outputs - deviations, gain=0.01)
        self.critic = perceptron(inputs, width, depth, 1, gain=1.0)
        self.deviations = deviations
        if deviations:
            zeros = Tensor(np.zeros((1, deviations), np.float32))
            self.log_deviation = Parameter(zeros, name="log_deviation")

    def construct(self, observation: Tensor) -> Tensor:
        """Map (batch, *shape) to (batch, outputs + 1): the policy's parameters, then the value."""
        x = observation.reshape((observation.shape[0], -1))
        if self.deviations:
            spread = ops.broadcast_to(self.log_deviation, (x.shape[0], self.deviations))
            return ops.cat((self.actor(x), spread, self.critic(x)), 1)
        return ops.cat((self.actor(x), self.critic(x)), 1)


def perceptron(inputs: int, width: int, depth: int, outputs: int, gain: float) -> nn.Cell:
    """Make dense layers with tanh between them; ``gain`` is the size of the last one's weights."""
    layers: list[nn.Cell] = []
    for _ in range(depth):
        layers += [nn.Dense(inputs, width, weight_init=Orthogonal(math.sqrt(2))), nn.Tanh()]
        inputs = width
    return nn.SequentialCell([*layers, nn.Dense(inputs, outputs, weight_init=Orthogonal(gain))])
