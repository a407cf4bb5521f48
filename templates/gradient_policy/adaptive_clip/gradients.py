"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable, Sequence

import mindspore as ms
from mindspore import Parameter, Tensor, ops

from .engine.errors import InputError


def adaptive_clip(
    grad_fn: Callable,
    parameters: Sequence[Parameter],
    clipping: float = 0.01,
    eps: float = 1e-3,
    skip: str = "",
) -> Callable:
    r"""Adaptive gradient clipping: bound each unit's gradient in proportion to its weights.

    .. math:: g_u = g_u \, c_u / \max(\lVert g_u \rVert, c_u), \quad
        c_u = clipping \cdot \max(\lVert w_u \rVert, eps)

    A unit is one output's weights: a row of (out, in), or of (out, in, height, width). A vector or
    a scalar is one unit. A NaN stays in its unit.

    The paper leaves the last layer alone: ``skip`` does that. By default every tensor is clipped,
    as in Optax. Brock, De, Smith and Simonyan, *High-performance large-scale image recognition
    without normalization*, 2021.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
        parameters: the weights, in the order of the gradients.
        clipping: bound on the ratio of the norms, gradient to weights.
        eps: least norm of the weights, so that those that start at 0 can move.
        skip: parameters with this in their name are left alone; empty: none.

    Raises:
        ValueError: ``clipping`` or ``eps`` is not positive.
        InputError: no name contains ``skip``.
    """
    if not (clipping > 0 and eps > 0):
        raise ValueError(f"clipping and eps must be positive, not {clipping} and {eps}")
    names = [w.name for w in parameters]
    skipped = [skip != "" and skip in name for name in names]
    if skip and not any(skipped):
        raise InputError(f"no parameter has {skip!r} in its name: use one of {', '.join(names)}")

    def clip(g, w):
        units = as_units(g)
        bound = clipping * ops.maximum(norms(as_units(w)), eps)
        factors = bound / ops.maximum(norms(units), bound)
        # The product repeats a column on all cores of a CPU, where broadcasting takes one.
        factors = ops.MatMul()(factors, ops.ones((1, units.shape[1]), ms.float32))
        return ops.cast(units * factors, g.dtype).reshape(g.shape)

    def clipped(*batch):
        value, grads = grad_fn(*batch)
        triples = zip(grads, parameters, skipped)
        return value, tuple([g if left_alone else clip(g, w) for g, w, left_alone in triples])

    return clipped


def as_units(x: Tensor) -> Tensor:
    """Lay out as (units, weights), float32: a row for each unit."""
    return ops.cast(x, ms.float32).reshape((x.shape[0] if x.ndim > 1 else 1, -1))


def norms(units: Tensor) -> Tensor:
    """Return the L2 norm of each row, (units, 1)."""
    return ops.sqrt(ops.sum(ops.square(units), 1, keepdim=True))
