"""Gradient descent."""

from typing import Any

from mindspore import Parameter, Tensor, nn, ops


class SGD(nn.Optimizer):
    r"""Plain gradient descent.

    .. math:: w = w - \eta g

    It is written out since ``nn.SGD`` holds two states for every weight, also without momentum.

    Robbins and Monro, *A stochastic approximation method*, 1951.

    Args:
        parameters: the weights, or groups of them, ``{"params": [...], "lr": ...}``.
        learning_rate: :math:`\eta`, a schedule or a number.
    """

    def __init__(
        self,
        parameters: list[Parameter] | list[dict[str, Any]],
        learning_rate: nn.learning_rate_schedule.LearningRateSchedule | float,
    ):
        super().__init__(learning_rate, parameters)

    def construct(self, gradients: tuple[Tensor, ...]) -> bool:
        """Update the weights once."""
        rates = self.get_lr() if self.is_group_lr else (self.get_lr(),) * len(self.parameters)
        self.assignadd(self.global_step, 1)
        for w, rate, g in zip(self.parameters, rates, gradients):
            ops.assign(w, ops.cast(w - rate * g, w.dtype))
        return True
