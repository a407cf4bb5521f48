"""Arithmetic in fewer than 32 bits: a network's precision, and the scale of its loss."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

from .errors import InputError
from .finite import update_if_finite

LOW = {"float16": ms.float16, "bfloat16": ms.bfloat16}
"""the precisions below float32"""
EXACT = (nn.BatchNorm1d, nn.BatchNorm2d, nn.GroupNorm, nn.LayerNorm)
"""layers that stay float32: they sum the squares of many numbers"""
START, LEAST, MOST = 2.0**16, 1.0, 2.0**24
"""of the loss scale; powers of two, so that scaling rounds nothing"""
WINDOW = 1000
"""updates in a row without an overflow after which the scale is doubled"""


def lower(network: nn.Cell, precision: str) -> nn.Cell:
    """Let a network compute in a precision, and return it; its weights stay float32.

    What it returns has that precision: losses and metrics take it as float32.

    Raises:
        InputError: the device cannot compute in it, or would not show an overflow.
    """
    if precision not in LOW:
        return network
    if precision == "bfloat16" and ms.get_context("device_target") == "CPU":
        raise InputError("precision bfloat16 does not run on a CPU: use float32 or float16")
    if precision == "float16" and not overflows():
        raise InputError(
            "precision float16 needs overflows that are infinite, and this device is in saturation "
            "mode: use bfloat16 or float32, or set MS_ASCEND_CHECK_OVERFLOW_MODE=INFNAN_MODE"
        )
    network.to_float(LOW[precision])
    for _, layer in network.cells_and_names():
        if isinstance(layer, EXACT):
            layer.to_float(ms.float32)
    return network


def overflows() -> bool:
    """Tell whether a float16 that is too large becomes infinite.

    In the saturation mode of Ascend cards it becomes the largest number (not run here: no such
    device at hand).
    """
    return bool(ops.isinf(Tensor(6e4, ms.float16) * 2).asnumpy())


class Scaler(nn.Cell):
    """Scales nothing: every part of the chain is what it is without.

    Args:
        skip: leave out updates whose loss or gradient is not finite.
    """

    def __init__(self, skip: bool = False):
        super().__init__()
        self.skip = skip

    def scaled(self, forward_fn: Callable) -> Callable:
        """Scale the loss of ``(*batch) -> (loss, aux)``, before it is differentiated."""
        return forward_fn

    def unscaled(self, grad_fn: Callable) -> Callable:
        """Divide loss and gradients of ``(*batch) -> ((loss, aux), grads)`` by the scale again."""
        return grad_fn

    def update(self, optimizer: Callable) -> Callable[..., Tensor]:
        """Make ``update(loss, grads) -> loss``, which calls the optimizer: ``update_if_finite``."""
        return update_if_finite(optimizer, self.skip)

    def observe(self) -> dict[str, float]:
        """Say what a log should have."""
        return {}


class DynamicScaler(Scaler):
    """Scales the loss so that small gradients do not vanish in float16, and large ones fit.

    The scale is halved, down to 1, where a loss or a gradient is not finite, whose update is left
    out; it is doubled, up to 2^24, after ``window`` updates in a row. It is a power of two, so what
    the policies and the optimizer see is free of it to the bit, unless it vanished or did not fit.

    P. Micikevicius et al., *Mixed precision training*, 2018.

    Args:
        start: the first scale.
        window: updates in a row after which the scale is doubled.
    """

    def __init__(self, start: float = START, window: int = WINDOW):
        super().__init__(skip=True)
        self.window = window
        self.scale = Parameter(Tensor(start, ms.float32), "loss_scale", requires_grad=False)
        self.good = Parameter(Tensor(0, ms.int32), "loss_scale_good", requires_grad=False)

    def scaled(self, forward_fn: Callable) -> Callable:
        """Scale the loss."""
        scale = self.scale

        def scaled_fn(*batch):
            loss, aux = forward_fn(*batch)
            return loss * scale, aux

        return scaled_fn

    def unscaled(self, grad_fn: Callable) -> Callable:
        """Divide loss and gradients by the scale again."""
        scale = self.scale

        def unscaled_fn(*batch):
            (loss, aux), grads = grad_fn(*batch)
            share = 1 / scale
            return (loss * share, aux), tuple([g * share for g in grads])

        return unscaled_fn

    def update(self, optimizer: Callable) -> Callable[..., Tensor]:
        """Make ``update(loss, grads) -> loss``, which also adjusts the scale."""
        update, scale, good, window = super().update(optimizer), self.scale, self.good, self.window

        def update_and_adjust(loss, grads):
            loss = update(loss, grads)
            taken = ops.isfinite(loss)
            row = ops.select(taken, good + 1, good * 0)
            full = row >= window
            grown = ops.select(full, scale * 2, scale * 1)
            adjusted = ops.clamp(ops.select(taken, grown, scale / 2), LEAST, MOST)
            counted = ops.select(full, row * 0, row)
            return ops.depend(loss, (ops.assign(scale, adjusted), ops.assign(good, counted)))

        return update_and_adjust

    def observe(self) -> dict[str, float]:
        """Say what a log should have: the scale."""
        return {"loss_scale": float(self.scale.asnumpy())}


def create_scaler(precision: str, skip: bool) -> Scaler:
    """Make what ``precision`` needs: float16 a scale; the others have the range of float32."""
    return DynamicScaler() if precision == "float16" else Scaler(skip)
