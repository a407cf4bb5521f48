"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable

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
        return value, tuple([less_its_mean(g) if g.ndim > 1 else g for g in grads])

    def less_its_mean(g):
        rows = g.reshape((g.shape[0], -1))
        # The product repeats a column on all cores of a CPU, where broadcasting takes one.
        ones = ops.ones((1, rows.shape[1]), g.dtype)
        return (rows - ops.MatMul()(ops.mean(rows, 1, True), ones)).reshape(g.shape)

    return centralized
