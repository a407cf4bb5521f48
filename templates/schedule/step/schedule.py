"""A learning rate that drops at equal intervals."""

import mindspore as ms
from mindspore import Tensor, nn, ops

from .engine.errors import InputError


class Step(nn.learning_rate_schedule.LearningRateSchedule):
    r"""The run in equal parts, each at ``factor`` times the rate of the part before.

    With :math:`D` drops in a run of :math:`T` updates, update :math:`i`, counted from 0, has

    .. math:: \text{peak} \cdot \text{factor}^{\min(\lfloor i (D + 1) / T \rfloor, D)}

    So the first update has the peak and the last part, as long as the others, the lowest rate;
    updates beyond the run keep that.

    Args:
        peak: the rate of the first part.
        total_steps: :math:`T`, updates in the whole run.
        drops: :math:`D`, how often the rate drops.
        factor: what it is multiplied by.

    Raises:
        InputError: there are more drops than there can be updates.
    """

    def __init__(self, peak: float, total_steps: int, drops: int = 2, factor: float = 0.1):
        super().__init__()
        if drops >= 2**31:
            raise InputError(f"drops {drops} is too large: use at most {2**31 - 1}")
        self.peak, self.total_steps = peak, total_steps
        self.drops, self.factor = drops, factor

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate of update ``global_step``, a scalar."""
        i = ops.cast(global_step, ms.int64).reshape(())  # times the drops it goes beyond int32
        part = ops.minimum(i * (self.drops + 1) // self.total_steps, self.drops)
        return self.peak * ops.pow(self.factor, ops.cast(part, ms.float32))
