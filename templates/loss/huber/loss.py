"""The Huber loss."""

from mindspore import Tensor, nn, ops


class Huber(nn.LossBase):
    r"""Squared error near zero, absolute error beyond: an outlier pulls no harder than ``delta``.

    With the residual :math:`r = logits - label`,

    .. math:: \ell = r^2/2 \text{ if } |r| \le \delta \text{ else } \delta (|r| - \delta/2)

    Peter J. Huber, *Robust estimation of a location parameter*, 1964.

    Args:
        delta: residual at which the square turns into a line, in units of the label.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(self, delta: float = 1.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, 1) with (batch, 1); ``"none"`` gives (batch, 1), the others a scalar."""
        residual = ops.abs(logits - labels)
        inside = ops.minimum(residual, self.delta)
        return self.get_loss(inside * (residual - 0.5 * inside))
