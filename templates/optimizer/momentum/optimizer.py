"""Gradient descent with momentum."""

from collections.abc import Iterable
from typing import Any

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import initializer


class Momentum(nn.Optimizer):
    r"""Gradient descent that keeps part of its velocity.

    .. math::
        v &= \mu v + g \\
        w &= w - \eta v, \quad \text{with Nesterov } w = w - \eta (g + \mu v)

    A steady gradient moves the weights by :math:`\eta / (1 - \mu)` times itself. The velocity is
    float32 whatever the weight is.

    It is written out since ``nn.Momentum`` goes away after MindSpore 2.9; the velocity has its name
    there, ``moments``.

    Polyak, *Some methods of speeding up the convergence of iteration methods*, 1964; Sutskever et
    al., *On the importance of initialization and momentum in deep learning*, 2013.

    Args:
        parameters: the weights, or groups of them, ``{"params": [...], "lr": ...}``.
        learning_rate: :math:`\eta`, a schedule or a number.
        momentum: :math:`\mu`, the share of the velocity that is kept.
        nesterov: look ahead along the velocity.
    """

    def __init__(
        self,
        parameters: list[Parameter] | list[dict[str, Any]],
        learning_rate: nn.learning_rate_schedule.LearningRateSchedule | float,
        momentum: float = 0.9,
        nesterov: bool = False,
    ):
        super().__init__(learning_rate, parameters)
        self.momentum, self.nesterov = momentum, nesterov
        self.moments = zeros_like(self.parameters, "moments")
        self.apply_momentum = ops.ApplyMomentum()

    def construct(self, gradients: tuple[Tensor, ...]) -> bool:
        """Update the weights once."""
        rates = self.get_lr() if self.is_group_lr else (self.get_lr(),) * len(self.parameters)
        self.assignadd(self.global_step, 1)
        for w, v, rate, g in zip(self.parameters, self.moments, rates, gradients):
            if w.dtype == ms.float32 and not self.nesterov:
                self.apply_momentum(w, v, rate, g, self.momentum)
            else:  # the kernel takes one precision only, and on a CPU ignores use_nesterov
                v_next = self.momentum * v + g
                step = g + self.momentum * v_next if self.nesterov else v_next
                ops.assign(v, v_next)
                ops.assign(w, ops.cast(w - rate * step, w.dtype))
        return True


def zeros_like(weights: Iterable[Parameter], prefix: str) -> ParameterTuple:
    """Make a float32 state for every weight, named after it: ``moments.head.bias``."""
    states = [initializer("zeros", weight.shape, ms.float32) for weight in weights]
    names = [f"{prefix}.{weight.name}" for weight in weights]
    return ParameterTuple([Parameter(state, name=name) for state, name in zip(states, names)])
