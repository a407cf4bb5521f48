"""The Huber loss."""

from mindspore import Tensor, float32, nn, ops


class Huber(nn.LossBase):
    r"""Squared error near zero, absolute error beyond: an outlier pulls no harder than ``delta``.

    With the residual :math:`r = logits - labels`,

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
        """Compare (batch, outputs), taken as float32, with labels (batch, outputs).

        ``"none"`` gives (batch, outputs), the others a scalar.

        Raises:
            ValueError: the shapes differ; broadcasting would compare every row with every other.
        """
        if logits.shape != labels.shape:
            raise ValueError(f"logits {logits.shape} and labels {labels.shape} must agree in shape")
        residual = ops.abs(logits.astype(float32) - labels)
        inside = ops.minimum(residual, self.delta)
        return self.get_loss(inside * (residual - 0.5 * inside))
