"""The squared error."""

from mindspore import Tensor, float32, nn, ops


class MSE(nn.LossBase):
    r"""Squared error, without a factor 1/2: its best constant prediction is the mean.

    With the residual :math:`r = logits - labels`,

    .. math:: \ell = r^2

    Args:
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, outputs), taken as float32, with labels (batch, outputs).

        ``"none"`` gives (batch, outputs), the others a scalar.

        Raises:
            ValueError: the shapes differ; broadcasting would compare every row with every other.
        """
        if logits.shape != labels.shape:
            raise ValueError(f"logits {logits.shape} and labels {labels.shape} must agree in shape")
        return self.get_loss(ops.square(logits.astype(float32) - labels))
