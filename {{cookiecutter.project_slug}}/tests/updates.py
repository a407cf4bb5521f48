"""A few updates that an optimizer makes."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

UPDATES = 5
rng = np.random.default_rng(0)
START = (rng.standard_normal((3, 4)), rng.standard_normal(4))
GRADIENTS = (rng.standard_normal((UPDATES, 3, 4)), rng.standard_normal((UPDATES, 4)))


class Rising(nn.learning_rate_schedule.LearningRateSchedule):
    """Update i has the rate (i + 1) / 10."""

    def construct(self, global_step: Tensor) -> Tensor:
        return 0.1 * ops.cast(global_step + 1, ms.float32).reshape(())


def eager(function: Callable) -> Callable:
    """Leave ``function`` as it is, where ``ms.jit`` would compile it."""
    return function


def updated(optimizer: nn.Optimizer, transform: Callable) -> nn.Optimizer:
    """Update with GRADIENTS, one after the other in a loop, and return the optimizer."""

    def updates(count, *stacks):
        i = ops.zeros((), ms.int32)
        while i < count:
            i = ops.depend(i, optimizer(tuple([stack[i] for stack in stacks]))) + 1
        return i

    stacks = [Tensor(stack, ms.float32) for stack in GRADIENTS]
    transform(updates)(Tensor(UPDATES, ms.int32), *stacks)
    return optimizer
