"""The gradient of a batch from those of its parts: a transformation of ``grad_fn``."""

from collections.abc import Callable

import mindspore as ms
from mindspore import ops


def accumulate(grad_fn: Callable, steps: int) -> Callable:
    """Average the gradient over ``steps`` micro-batches, one after the other.

    The batch is cut along its first axis. For a loss that is a mean over rows the result is that
    of the whole batch at once, with the memory of one micro-batch.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``, ``aux`` with one entry a row.
        steps: number of micro-batches; it divides the batch.
    """
    if steps == 1:
        return grad_fn

    def accumulated(*batch):
        micro = tuple([x.reshape((steps, -1) + x.shape[1:]) for x in batch])
        (loss, aux), grads = grad_fn(*[x[0] for x in micro])
        all_aux = ops.zeros((steps,) + aux.shape, aux.dtype)
        all_aux[0] = aux
        # In a loop a bare tuple of equal shapes becomes one of unknown length, which zip refuses.
        total = (loss, grads)
        i = ms.Tensor(1, ms.int32)
        while i < steps:
            (loss, aux), grads = grad_fn(*[ops.gather(x, i, 0) for x in micro])
            all_aux[i] = aux
            total = (total[0] + loss, tuple([g + h for g, h in zip(total[1], grads)]))
            i = i + 1
        aux = all_aux.reshape((-1,) + aux.shape[1:])
        return (total[0] / steps, aux), tuple([g / steps for g in total[1]])

    return accumulated
