"""Adam."""

import math
from collections.abc import Iterable
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import initializer


class Adam(nn.Optimizer):
    r"""Adam: every weight moves by the mean of its gradient over the root of its mean square.

    .. math::
        m &= \beta_1 m + (1 - \beta_1) g, \quad v = \beta_2 v + (1 - \beta_2) g^2 \\
        w &= w - \eta \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}

    with :math:`t = 1` at the first update. The moments are float32 whatever the weight is, and a
    gradient is taken in its weight's precision.

    It is written out since ``nn.Adam`` warns whenever it is made (MindSpore 2.10) and holds float16
    moments for float16 weights; the states have its names.

    Kingma and Ba, *Adam: a method for stochastic optimization*, 2015.

    Args:
        parameters: the weights, or groups of them, ``{"params": [...], "lr": ...}``.
        learning_rate: :math:`\eta`, a schedule or a number.
        beta1: decay of the mean, between 0 and 1, both excluded.
        beta2: decay of the mean square, likewise.
        epsilon: added to the root, in units of the gradient; above 0.
    """

    def __init__(
        self,
        parameters: list[Parameter] | list[dict[str, Any]],
        learning_rate: nn.learning_rate_schedule.LearningRateSchedule | float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
    ):
        super().__init__(learning_rate, parameters)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        # of the betas as the kernel rounds them, or the corrections would be off by up to 1e-5
        self.log_beta1, self.log_beta2 = (math.log(np.float32(beta)) for beta in (beta1, beta2))
        self.moment1 = zeros_like(self.parameters, "moment1")
        self.moment2 = zeros_like(self.parameters, "moment2")
        self.apply_adam = ops.Adam()

    def construct(self, gradients: tuple[Tensor, ...]) -> bool:
        """Update the weights once."""
        rates = self.get_lr() if self.is_group_lr else (self.get_lr(),)
        self.assignadd(self.global_step, 1)
        t = ops.cast(self.global_step, ms.float32).reshape(())
        # 1 - beta ** t, without the digits that a beta close to 1 would lose
        correction1 = -ops.expm1(t * self.log_beta1)
        root = ops.sqrt(-ops.expm1(t * self.log_beta2))
        # Both corrections go into rate and epsilon: one kernel then does a whole tensor.
        steps = tuple([rate * root / correction1 for rate in rates])
        if not self.is_group_lr:
            steps = steps * len(self.parameters)
        epsilon = self.epsilon * root
        states = zip(self.parameters, self.moment1, self.moment2, steps, gradients)
        for w, m, v, step, g in states:
            g = ops.cast(g, w.dtype)
            self.apply_adam(w, m, v, 0.0, 0.0, step, self.beta1, self.beta2, epsilon, g)
        return True


def zeros_like(weights: Iterable[Parameter], prefix: str) -> ParameterTuple:
    """Make a float32 state for every weight, named after it: ``moment1.head.bias``."""
    states = [initializer("zeros", weight.shape, ms.float32) for weight in weights]
    names = [f"{prefix}.{weight.name}" for weight in weights]
    return ParameterTuple([Parameter(state, name=name) for state, name in zip(states, names)])
