"""The rates of a schedule."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


def rates(schedule: nn.Cell, steps: int, compiled: bool = False) -> np.ndarray:
    """Return the rates of updates 0 to ``steps`` - 1, from a loop in one graph or an eager one."""

    def loop(steps, found):
        i = ops.zeros((), ms.int32)
        while i < steps:
            found[i] = schedule(i)
            i = i + 1
        return found

    run = ms.jit(loop) if compiled else loop
    return run(Tensor(steps, ms.int32), ops.zeros(steps, ms.float32)).asnumpy()
