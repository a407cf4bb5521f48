"""The pinball loss."""

from mindspore import Tensor, float32, nn, ops


class Quantile(nn.LossBase):
    r"""Pinball loss: its best constant prediction is the quantile ``level`` of the labels.

    With the residual :math:`r = labels - logits` and the level :math:`q`,

    .. math:: \ell = \max(q \, r, \; (q - 1) \, r)

    A prediction below the label costs :math:`q` a unit, one above it :math:`1 - q`. At
    :math:`q = 1/2` this is half the absolute error, and the best constant is the median.

    Roger Koenker and Gilbert Bassett, *Regression quantiles*, 1978.

    Args:
        level: share of the labels that shall lie below the prediction, between 0 and 1.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(self, level: float = 0.5, reduction: str = "mean"):
        super().__init__(reduction)
        self.level = level

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, outputs), taken as float32, with labels (batch, outputs).

        ``"none"`` gives (batch, outputs), the others a scalar.

        Raises:
            ValueError: the shapes differ; broadcasting would compare every row with every other.
        """
        if logits.shape != labels.shape:
            raise ValueError(f"logits {logits.shape} and labels {labels.shape} must agree in shape")
        residual = labels - logits.astype(float32)
        return self.get_loss(ops.maximum(self.level * residual, (self.level - 1) * residual))
