"""Lion: the sign of a momentum."""

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import initializer

from .engine.units import unit_axes


class Lion(nn.Optimizer):
    r"""Every weight moves by the learning rate, up or down, and shrinks.

    .. math::
        w &= w - \eta (\operatorname{sign}(\beta_1 m + (1 - \beta_1) g) + \lambda w) \\
        m &= \beta_2 m + (1 - \beta_2) g

    Only what multiplies an input decays, a layer's weights or an embedding: shrinking what has no
    units (see ``unit_axes``), such as a bias, a normalisation's gain or the logarithm of a
    deviation, moves the output without making the function any smoother. The momentum is float32
    whatever the weight is.

    A gradient that is not finite makes its weight NaN. MindSpore has no Lion of its own.

    Chen et al., *Symbolic discovery of optimization algorithms*, 2023.

    Args:
        network: its trainable parameters are the weights.
        learning_rate: :math:`\eta`, a schedule or a number, in units of the weight.
        beta1: share of the momentum in the direction taken.
        beta2: decay of the momentum.
        weight_decay: :math:`\lambda`, the share of a weight that goes in an update at rate 1.
    """

    def __init__(
        self,
        network: nn.Cell,
        learning_rate: nn.learning_rate_schedule.LearningRateSchedule | float,
        beta1: float = 0.9,
        beta2: float = 0.99,
        weight_decay: float = 0.1,
    ):
        parameters = network.trainable_params()
        super().__init__(learning_rate, parameters)
        self.beta1, self.beta2 = beta1, beta2
        self.fresh1, self.fresh2 = 1 - beta1, 1 - beta2  # in float64: a graph would take float32
        axes = unit_axes(network, parameters)
        self.decays = tuple(0.0 if axis is None else weight_decay for axis in axes)
        self.moments = zeros_like(parameters, "moments")

    def construct(self, gradients: tuple[Tensor, ...]) -> bool:
        """Update the weights once."""
        rate = self.get_lr()
        self.assignadd(self.global_step, 1)
        for w, m, decay, g in zip(self.parameters, self.moments, self.decays, gradients):
            direction = self.beta1 * m + self.fresh1 * g
            step = ops.sign(direction) + 0 * direction  # on a CPU the sign of a NaN is 0
            if decay:
                step = step + decay * ops.cast(w, ms.float32)
            ops.assign(m, self.beta2 * m + self.fresh2 * g)
            ops.assign(w, ops.cast(w - rate * step, w.dtype))
        return True


def zeros_like(weights: list[Parameter], prefix: str) -> ParameterTuple:
    """Make a float32 state for every weight, named after it: ``moments.head.bias``."""
    states = [initializer("zeros", weight.shape, ms.float32) for weight in weights]
    names = [f"{prefix}.{weight.name}" for weight in weights]
    return ParameterTuple([Parameter(state, name=name) for state, name in zip(states, names)])
