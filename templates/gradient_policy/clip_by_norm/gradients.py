"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable

from mindspore import ops

from .engine.cpu.square_norm import square_norm


def clip_by_norm(grad_fn: Callable, max_norm: float) -> Callable:
    r"""Shorten each tensor's gradient to an L2 norm of at most ``max_norm``.

    .. math:: g_i = g_i \, c / \max(\lVert g_i \rVert, c), \quad c = max\_norm

    With the bound 1, gradients (3, 4) and (0, 12) become (0.6, 0.8) and (0, 1). A shorter one is
    left exactly as it is. A NaN stays in its tensor.

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
        norms = [ops.sqrt(square_norm(g)) for g in grads]
        factors = [max_norm / ops.maximum(norm, max_norm) for norm in norms]
        return value, tuple([ops.cast(g * f, g.dtype) for g, f in zip(grads, factors)])

    return clipped
