"""One cycle: up to the peak, then far down."""

import math

import mindspore as ms
from mindspore import Tensor, nn, ops


class OneCycle(nn.learning_rate_schedule.LearningRateSchedule):
    r"""Half a cosine from a low rate up to the peak, half a cosine down to almost nothing.

    The updates are counted from 0. The first has peak / ``start_divisor``, the last that over
    ``final_divisor``, which later ones keep. The peak is at update ``peak_fraction`` \*
    ``total_steps`` - 1, rounded, but at least one from either end: a run of one or two updates has
    no room for it, and one of one has the first rate. A share :math:`s` of the way from rate
    :math:`a` to rate :math:`b`, the rate is

    .. math:: a + (b - a) \frac{1 - \cos(\pi s)}{2}

    Smith and Topin, *Super-convergence: very fast training of neural networks using large learning
    rates*, 2018; where ``peak_fraction`` \* ``total_steps`` is whole, the rates are those of
    PyTorch's ``OneCycleLR``.

    Args:
        peak: the highest rate.
        total_steps: updates in the whole run.
        peak_fraction: share of the updates up to the peak.
        start_divisor: the peak over the first rate.
        final_divisor: the first rate over the last.
    """

    def __init__(
        self,
        peak: float,
        total_steps: int,
        peak_fraction: float = 0.3,
        start_divisor: float = 25.0,
        final_divisor: float = 1e4,
    ):
        super().__init__()
        self.start = peak / start_divisor
        self.end = self.start / final_divisor
        self.climb, self.descent = peak - self.start, peak - self.end
        self.last = total_steps - 1
        self.rise = max(min(round(peak_fraction * total_steps) - 1, self.last - 1), 1)
        self.fall = max(self.last - self.rise, 1)

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate of update ``global_step``, a scalar."""
        # Counted in int32: in float32, which has 24 bits, the last update would miss the end.
        i = ops.minimum(global_step.reshape(()), self.last)
        climbed, to_go = ops.cast(i, ms.float32), ops.cast(self.last - i, ms.float32)
        # sin(x / 2) ** 2 is (1 - cos(x)) / 2, exact near 0 too
        risen = ops.square(ops.sin(math.pi / 2 * climbed / self.rise))
        left = ops.square(ops.sin(math.pi / 2 * to_go / self.fall))
        up, down = self.start + self.climb * risen, self.end + self.descent * left
        return ops.where(i < self.rise, up, down)
