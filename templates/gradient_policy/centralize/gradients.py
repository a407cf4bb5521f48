"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable

import mindspore as ms
from mindspore import ops


def centralize(grad_fn: Callable) -> Callable:
    r"""Gradient centralization: take from each output's gradient its mean.

    .. math:: g_o = g_o - \overline{g_o}

    The mean goes over all axes but the first: over a row of (out, in), or of
    (out, in, height, width). Vectors and scalars, such as a bias, are left alone. Yong, Huang, Hua
    and Zhang, *Gradient centralization: a new optimization technique for deep neural networks*,
    2020.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
    """

    def centralized(*batch):
        value, grads = grad_fn(*batch)
        return value, tuple([g - mean_of_rows(g) if g.ndim > 1 else g for g in grads])

    def mean_of_rows(g):
        return ops.mean(g, tuple(range(1, g.ndim)), keep_dims=True)

    return centralized
