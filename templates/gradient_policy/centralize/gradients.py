"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable, Sequence

from mindspore import Parameter, Tensor, nn, ops

from .engine.cpu.row_sums import spread
from .engine.unit_rows import from_rows, to_rows
from .engine.units import unit_axes


def centralize(grad_fn: Callable, network: nn.Cell, parameters: Sequence[Parameter]) -> Callable:
    r"""Gradient centralization: take from the gradient of each unit its mean.

    .. math:: g_u = g_u - \overline{g_u}

    A unit is the weights of one output, wherever the layer keeps them: see ``unit_axes``. What has
    no units, such as a bias, is left alone, and so are units of one weight, which could not move.
    Yong, Huang, Hua and Zhang, *Gradient centralization: a new optimization technique for deep
    neural networks*, 2020.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
        network: the network that owns the parameters.
        parameters: the weights, in the order of the gradients.
    """
    axes = tuple(
        None if axis is None or w.size == w.shape[axis] else axis
        for w, axis in zip(parameters, unit_axes(network, parameters))
    )

    def centralized(*batch):
        value, grads = grad_fn(*batch)
        return value, tuple([g if a is None else less_its_mean(g, a) for g, a in zip(grads, axes)])

    return centralized


def less_its_mean(g: Tensor, axis: int) -> Tensor:
    """Take from each unit along ``axis`` its mean."""
    rows = to_rows(g, axis)
    return from_rows(rows - spread(ops.mean(rows, 1, True), rows.shape[1]), g.shape, axis)
