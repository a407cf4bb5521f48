"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable, Sequence

from mindspore import Parameter, ops

from .engine.cpu.square_norm import square_norm


def sharpness_aware(
    grad_fn: Callable, parameters: Sequence[Parameter], rho: float = 0.05
) -> Callable:
    r"""Sharpness-aware minimization: the gradient at the worst point nearby.

    .. math:: \nabla L\left(w + \rho \, g / \lVert g \rVert\right), \quad g = \nabla L(w)

    Loss and aux are those at :math:`w`, and the weights are put back to the same bits. It takes two
    forward and two backward passes. Entries of :math:`g` that are not finite do not move their
    weight. Foret, Kleiner, Mobahi and Neyshabur, *Sharpness-aware minimization for efficiently
    improving generalization*, 2021.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``; already accumulated, if it is to be.
        parameters: the weights, in the order of the gradients.
        rho: how far to climb, in units of the weights.

    Raises:
        ValueError: ``rho`` is not positive.
    """
    if not rho > 0:
        raise ValueError(f"rho must be positive, not {rho}")

    def sharpened(*batch):
        value, grads = grad_fn(*batch)
        ascent = [ops.where(ops.isfinite(g), g, ops.zeros_like(g)) for g in grads]
        norm = ops.sqrt(ops.sum(ops.stack([square_norm(g) for g in ascent])))
        scale = rho / (norm + 1e-12)
        saved = [ops.deepcopy(w) for w in parameters]
        for w, g in zip(parameters, ascent):
            ops.assign(w, w + scale * g)
        grads = grad_fn(*batch)[1]
        for w, original in zip(parameters, saved):
            ops.assign(w, original)
        return value, grads

    return sharpened
