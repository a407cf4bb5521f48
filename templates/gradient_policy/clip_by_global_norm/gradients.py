"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable

from mindspore import ops

from .engine.cpu.square_norm import square_norm


def clip_by_global_norm(grad_fn: Callable, max_norm: float) -> Callable:
    r"""Shorten the gradient of all tensors together to an L2 norm of at most ``max_norm``.

    .. math:: g_i = g_i \, c / \max(\lVert g \rVert, c), \quad
        \lVert g \rVert^2 = \sum_i \lVert g_i \rVert^2, \quad c = max\_norm

    One factor for all, so the direction stays. With the bound 1, gradients (3, 4) and (0, 12)
    become (0.2308, 0.3077) and (0, 0.9231). A shorter gradient is left exactly as it is.

    A tensor with a NaN does not count in the norm, so the NaN stays in it. An infinite norm makes
    every finite entry 0. Pascanu, Mikolov and Bengio, *On the difficulty of training recurrent
    neural networks*, 2013.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
        max_norm: the bound, in units of the gradient.

    Raises:
        ValueError: the bound is not positive.
    """
    if not max_norm > 0:
        raise ValueError(f"max_norm must be positive, not {max_norm}")

    def clipped(*batch):
        value, grads = grad_fn(*batch)
        norm = ops.sqrt(ops.nansum(ops.stack([square_norm(g) for g in grads])))
        factor = max_norm / ops.maximum(norm, max_norm)
        return value, tuple([ops.cast(g * factor, g.dtype) for g in grads])

    return clipped
