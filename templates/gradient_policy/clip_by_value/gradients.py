"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable

from mindspore import ops


def clip_by_value(grad_fn: Callable, max_value: float) -> Callable:
    """Bound every entry of the gradient to [-``max_value``, ``max_value``].

    It bends the gradient's direction; a NaN stays where it is.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
        max_value: the bound, in units of the gradient.

    Raises:
        ValueError: the bound is not positive.
    """
    if not max_value > 0:
        raise ValueError(f"max_value must be positive, not {max_value}")

    def clipped(*batch):
        value, grads = grad_fn(*batch)
        return value, tuple([clip(g) for g in grads])

    def clip(g):
        # Not clamp, minimum or maximum: on a CPU they turn a NaN into the bound.
        bound = ops.full_like(g, max_value)
        return ops.select(g > bound, bound, ops.select(g < -bound, -bound, g))

    return clipped
