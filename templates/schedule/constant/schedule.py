"""A learning rate that does not change."""

import mindspore as ms
from mindspore import Tensor, nn


class Constant(nn.learning_rate_schedule.LearningRateSchedule):
    """The same rate at every update.

    Args:
        learning_rate: the rate.
    """

    def __init__(self, learning_rate: float):
        super().__init__()
        self.learning_rate = Tensor(learning_rate, ms.float32)

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate of update ``global_step``, a scalar."""
        return self.learning_rate
