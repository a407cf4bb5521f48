"""What is measured of an update beside its loss: in the step, and as a line of a run's log."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

SMALL = 2**16
"""weights up to which every update is measured; a norm then costs less than leaving it out"""
EVERY = 10
"""updates of a larger network from one whose gradient is measured to the next"""


def measures(log_every: int, policy: bool) -> tuple[str, ...]:
    """Name what goes with each loss of a step; nothing if ``log_every`` is 0.

    ``taken`` is 1 where the norms were, and 0 where they were not, and are 0.
    """
    with_policy = ("policy_norm",) if policy else ()
    return ("learning_rate", "taken", "gradient_norm", *with_policy) if log_every else ()


def shape_of(measured: tuple[str, ...]) -> tuple[int, ...]:
    """Shape of a loss with what goes with it."""
    return (1 + len(measured),) if measured else ()


def remember(grad_fn: Callable, log_every: int) -> Callable:
    """Let the gradient as it is here go beside the loss: it is what a policy is measured against.

    Args:
        grad_fn: ``(*batch) -> ((loss, aux), grads)``.
        log_every: updates between two lines; 0: nothing is measured, and ``grad_fn`` stays.
    """

    def remembered(*batch):
        (loss, aux), grads = grad_fn(*batch)
        return ((loss, grads), aux), grads

    return remembered if log_every else grad_fn


def measured(
    update: Callable[..., Tensor], optimizer: nn.Optimizer, log_every: int
) -> Callable[..., Tensor]:
    """Make ``update(loss, grads) -> (loss, *names)`` from one that returns the loss alone.

    The norms are L2 norms of all gradients together: of those that were remembered, if any were,
    and of those that the optimizer gets.

    Args:
        update: calls the optimizer.
        optimizer: tells the learning rate, of its first group of weights if there are more.
        log_every: updates between two lines; 0: nothing is measured, and ``update`` stays.
    """
    if not log_every:
        return update
    small = sum(weight.size for weight in optimizer.parameters) <= SMALL
    every = 1 if small else min(EVERY, log_every)
    one, zero = Tensor(1, ms.float32), Tensor(0, ms.float32)

    def measure(loss, grads):
        rate = optimizer.get_lr()
        if optimizer.is_group_lr:
            rate = rate[0]
        before = ()
        if isinstance(loss, tuple):
            loss, before = loss[0], (loss[1],)
        found = (zero,) * (2 + len(before))
        if every == 1 or optimizer.global_step % every == 0:
            found = (one, *[global_norm(g) for g in (*before, grads)])
        return ops.stack((update(loss, grads), ops.reshape(rate, ()), *found))

    return measure


def global_norm(grads: tuple[Tensor, ...]) -> Tensor:
    """Return the L2 norm of all tensors together, a float32 scalar."""
    half_square = ops.L2Loss()  # one kernel for each tensor
    total = half_square(ops.cast(grads[0], ms.float32))
    for g in grads[1:]:
        total = total + half_square(ops.cast(g, ms.float32))
    return ops.sqrt(2 * total)


def means(
    losses: tuple[str, ...], measured: tuple[str, ...], rows: np.ndarray, skip: bool
) -> dict[str, float]:
    """Average over updates what they returned, each by its name.

    What goes with ``generator_loss`` is called ``generator_gradient_norm`` and so on. The learning
    rate is that of the last update; ``policy_share`` is the share of the updates whose norm the
    policy changed.

    Args:
        losses: names of the losses.
        measured: names of what goes with each.
        rows: (updates, losses, 1 + measured).
        skip: leave out the updates whose loss is NaN, which were not made.
    """
    found: dict[str, float] = {}
    for i, loss in enumerate(losses):
        made = rows[~np.isnan(rows[:, i, 0]) if skip else slice(None), i]
        if not len(made):
            made = np.full_like(rows[:1, i], np.nan)
        found[loss] = float(made[:, 0].mean())
        if measured:
            rate, taken, *norms = made[:, 1:].T
            kind = loss.removesuffix("loss")
            with np.errstate(invalid="ignore"):  # none may have been measured
                for name, norm in zip(measured[2:], norms):
                    found[kind + name] = float(norm.sum() / taken.sum())
                if len(norms) == 2:
                    changed = norms[0] != norms[1]
                    found[f"{kind}policy_share"] = float(changed.sum() / (taken > 0).sum())
            found[f"{kind}learning_rate"] = float(str(rate[-1]))  # 0.003, as it was set
    return found
