"""Adam with decoupled weight decay."""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import initializer

from .engine.units import unit_axes


class AdamW(nn.Optimizer):
    r"""Adam that also shrinks the weights, past the gradient's statistics.

    .. math::
        m &= \beta_1 m + (1 - \beta_1) g, \quad v = \beta_2 v + (1 - \beta_2) g^2 \\
        w &= w - \eta \left( \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}
             + \lambda w \right)

    with :math:`t = 1` at the first update. Only what multiplies an input decays, a layer's
    weights or an embedding: shrinking what has no units (see ``unit_axes``), such as a bias, a
    normalisation's gain or the logarithm of a deviation, moves the output without making the
    function any smoother. The moments are float32 whatever the weight is, and a gradient is taken
    in its weight's precision.

    It is written out since ``nn.AdamWeightDecay`` goes away after MindSpore 2.9 and does not
    correct the moments; the states have the names of ``nn.Adam``.

    Loshchilov and Hutter, *Decoupled weight decay regularization*, 2019.

    Args:
        network: its trainable parameters are the weights.
        learning_rate: :math:`\eta`, a schedule or a number.
        beta1: decay of the mean, between 0 and 1, both excluded.
        beta2: decay of the mean square, likewise.
        epsilon: added to the root, in units of the gradient; above 0.
        weight_decay: :math:`\lambda`, the share of a weight that goes in an update at rate 1.
    """

    def __init__(
        self,
        network: nn.Cell,
        learning_rate: nn.learning_rate_schedule.LearningRateSchedule | float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        weight_decay: float = 0.01,
    ):
        parameters = network.trainable_params()
        super().__init__(learning_rate, parameters)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        axes = unit_axes(network, parameters)
        self.decays = tuple(0.0 if axis is None else weight_decay for axis in axes)
        # of the betas as the kernel rounds them, or the corrections would be off by up to 1e-5
        self.log_beta1, self.log_beta2 = (math.log(np.float32(beta)) for beta in (beta1, beta2))
        self.moment1 = zeros_like(parameters, "moment1")
        self.moment2 = zeros_like(parameters, "moment2")
        self.apply_adamw = ops.AdamWeightDecay()

    def construct(self, gradients: tuple[Tensor, ...]) -> bool:
        """Update the weights once."""
        rate = self.get_lr()
        self.assignadd(self.global_step, 1)
        t = ops.cast(self.global_step, ms.float32).reshape(())
        # 1 - beta ** t, without the digits that a beta close to 1 would lose
        correction1 = -ops.expm1(t * self.log_beta1)
        root = ops.sqrt(-ops.expm1(t * self.log_beta2))
        # The kernel knows no correction: it goes into rate and epsilon, and out of the decay.
        ratio, epsilon = root / correction1, self.epsilon * root
        step = rate * ratio
        states = zip(self.parameters, self.moment1, self.moment2, self.decays, gradients)
        for w, m, v, decay, g in states:
            g = ops.cast(g, w.dtype)
            self.apply_adamw(w, m, v, step, self.beta1, self.beta2, epsilon, decay / ratio, g)
        return True


def zeros_like(weights: list[Parameter], prefix: str) -> ParameterTuple:
    """Make a float32 state for every weight, named after it: ``moment1.head.bias``."""
    states = [initializer("zeros", weight.shape, ms.float32) for weight in weights]
    names = [f"{prefix}.{weight.name}" for weight in weights]
    return ParameterTuple([Parameter(state, name=name) for state, name in zip(states, names)])
