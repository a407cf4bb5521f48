"""A warm-up, then half a cosine."""

import math

import mindspore as ms
from mindspore import Tensor, nn, ops


class Cosine(nn.learning_rate_schedule.LearningRateSchedule):
    r"""A straight ramp up to the peak, then half a cosine down.

    The ramp takes :math:`W`, ``warmup_fraction`` of the updates, rounded. Update :math:`i`, counted
    from 0 to the last :math:`L` = ``total_steps`` - 1, has the rate

    .. math::
        \text{peak} \cdot \frac{i + 1}{W + 1} \text{ if } i < W, \text{ else }
        \text{peak} \left( f + (1 - f) \frac{1 + \cos(\pi (i - W) / (L - W))}{2} \right)

    So the first update moves already, update :math:`W` has the peak, and the last one has
    :math:`f` times the peak, the lowest of the descent. Later updates keep that; the only update
    of a run of one has the peak.

    Loshchilov and Hutter, *SGDR: stochastic gradient descent with warm restarts*, 2017.

    Args:
        peak: the highest rate.
        total_steps: updates in the whole run.
        warmup_fraction: share of the updates that ramp up.
        final_fraction: :math:`f`, the last rate as a share of the peak.
    """

    def __init__(
        self,
        peak: float,
        total_steps: int,
        warmup_fraction: float = 0.05,
        final_fraction: float = 0.0,
    ):
        super().__init__()
        self.final = peak * final_fraction
        self.span = peak - self.final
        self.last = total_steps - 1
        self.warmup = min(round(warmup_fraction * total_steps), self.last)
        self.descent = max(self.last - self.warmup, 1)

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate of update ``global_step``, a scalar."""
        # Counted in int32: in float32, which has 24 bits, the last update would miss the end.
        i = ops.minimum(global_step.reshape(()), self.last)
        climbed, gone = i + 1, ops.maximum(i - self.warmup, 0)
        ramp = ops.minimum(ops.cast(climbed, ms.float32) / (self.warmup + 1), 1.0)
        to_go = 1 - ops.cast(gone, ms.float32) / self.descent
        # sin(x / 2) ** 2 is (1 - cos(x)) / 2, exact near 0 too
        left = ops.square(ops.sin(math.pi / 2 * to_go))
        return ramp * (self.final + self.span * left)
