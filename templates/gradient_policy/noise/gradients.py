"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable, Sequence

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

BLOCK = 64
"""numbers in a row of the noise table; whole rows are copied, much faster than single numbers"""
WINDOWS = 2**16
"""rows where a step's noise may start, each taken once before any repeats"""


def noise(
    grad_fn: Callable,
    parameters: Sequence[Parameter],
    global_step: Parameter,
    eta: float,
    gamma: float,
    seed: int,
) -> Callable:
    r"""Add Gaussian noise that fades: its variance is :math:`\eta / (1 + t)^\gamma` at step t.

    The noise depends on ``(seed, global_step)`` alone: a resumed run gets the same, and so does
    every rank. It is read from a table of standard normals drawn once, at another place each step
    and with an entry for every weight, and again at the first place after 65 536 steps; it takes 4
    bytes a weight and 17 MB.

    Neelakantan et al., *Adding gradient noise improves learning for very deep networks*, 2015. The
    table is that of Salimans et al., *Evolution strategies as a scalable alternative to
    reinforcement learning*, 2017.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
        parameters: the weights, in the order of the gradients.
        global_step: number of updates done, (1,), int32.
        eta: variance of the first step's noise, in squared units of the gradient.
        gamma: how fast it fades; 0: never.
        seed: of the table.

    Raises:
        ValueError: ``eta`` is not positive, or ``gamma`` is negative.
    """
    if not (eta > 0 and gamma >= 0):
        raise ValueError(f"eta must be positive and gamma at least 0, not {eta} and {gamma}")
    blocks = [-(-w.size // BLOCK) for w in parameters]
    ends = np.cumsum(blocks)
    rng = np.random.default_rng((seed, *b"gradient noise"))
    table = Tensor(rng.standard_normal((WINDOWS + int(ends[-1]), BLOCK), np.float32))
    starts = Tensor(rng.permutation(WINDOWS), ms.int32)
    rows = [Tensor(np.arange(end - n, end), ms.int32) for n, end in zip(blocks, ends)]

    def noisy(*batch):
        value, grads = grad_fn(*batch)
        t = ops.cast(global_step, ms.float32)
        deviation = eta**0.5 * ops.pow(1 + t, -gamma / 2)
        start = ops.gather(starts, global_step % WINDOWS, 0)
        noises = [ops.gather(table, start + r, 0) for r in rows]
        return value, tuple([g + cut(deviation * n, g) for g, n in zip(grads, noises)])

    def cut(n, g):
        spare = n.size - g.size
        flat = n.reshape((-1,))
        return (ops.split(flat, (g.size, spare))[0] if spare else flat).reshape(g.shape)

    return noisy
