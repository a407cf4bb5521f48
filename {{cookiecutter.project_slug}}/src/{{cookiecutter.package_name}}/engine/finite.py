"""Updates that are skipped where a number is not finite: around the optimizer."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


def update_if_finite(optimizer: nn.Optimizer, skip: bool) -> Callable[..., Tensor]:
    """Make ``update(loss, grads) -> loss``, which calls the optimizer.

    If ``skip``, a loss or a gradient that is not finite leaves weights, moments and counters as
    they are to the bit, and the loss is NaN, by which such a step is known. A gradient so large
    that its square overflows, above 1.8e19, counts as not finite: Adam's second moment would be
    infinite for ever. Transformations of gradients cannot do this, as the moments move by
    themselves; Optax calls it ``apply_if_finite``.
    """

    def update(loss, grads):
        return ops.depend(loss, optimizer(grads))  # the graph keeps what the result depends on

    half_square = ops.L2Loss()  # one kernel for each array; NaN and infinity survive in it

    def update_if(loss, grads):
        total = ops.cast(loss, ms.float32)
        for g in grads:
            total = total + half_square(ops.cast(g, ms.float32))
        if ops.isfinite(total):
            return ops.depend(loss, optimizer(grads))
        return loss * np.nan

    return update_if if skip else update
