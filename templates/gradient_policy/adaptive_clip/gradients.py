"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable, Sequence

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from .engine.cpu.row_sums import spread
from .engine.errors import InputError
from .engine.unit_rows import from_rows, to_rows
from .engine.units import unit_axes


def adaptive_clip(
    grad_fn: Callable,
    network: nn.Cell,
    parameters: Sequence[Parameter],
    clipping: float = 0.01,
    eps: float = 1e-3,
    skip: str = "",
) -> Callable:
    r"""Adaptive gradient clipping: bound each unit's gradient in proportion to its weights.

    .. math:: g_u = g_u \, c_u / \max(\lVert g_u \rVert, c_u), \quad
        c_u = clipping \cdot \max(\lVert w_u \rVert, eps)

    A unit is the weights of one output, wherever the layer keeps them: see ``unit_axes``. What has
    no units, such as a bias, counts as one. A NaN stays in its unit.

    The paper leaves the last layer alone: ``skip`` does that. By default every tensor is clipped,
    as in Optax. Brock, De, Smith and Simonyan, *High-performance large-scale image recognition
    without normalization*, 2021.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
        network: the network that owns the parameters.
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
    axes = unit_axes(network, parameters)
    if skip and not any(skipped):
        raise InputError(f"no parameter has {skip!r} in its name: use one of {', '.join(names)}")

    def clip(g, w, axis):
        units = to_rows(ops.cast(g, ms.float32), axis)
        bound = clipping * ops.maximum(norms(to_rows(ops.cast(w, ms.float32), axis)), eps)
        factors = bound / ops.maximum(norms(units), bound)
        units = units * spread(factors, units.shape[1])
        return from_rows(ops.cast(units, g.dtype), g.shape, axis)

    def clipped(*batch):
        value, grads = grad_fn(*batch)
        each = zip(grads, parameters, axes, skipped)
        return value, tuple([g if alone else clip(g, w, axis) for g, w, axis, alone in each])

    return clipped


def norms(units: Tensor) -> Tensor:
    """Return the L2 norm of each row, (units, 1)."""
    return ops.sqrt(ops.sum(ops.square(units), 1, keepdim=True))
