"""The focal loss."""

from mindspore import Tensor, float32, nn, ops


class Focal(nn.LossBase):
    r"""Cross entropy in which a row counts less the better it is classified already.

    With the softmax :math:`p` of the logits and the true class :math:`y`,

    .. math:: \ell = -(1 - p_y)^\gamma \log p_y

    Tsung-Yi Lin et al., *Focal loss for dense object detection*, 2017; without its weights
    :math:`\alpha` of the classes.

    Args:
        gamma: how much less an easy row counts; 0 is the cross entropy.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(self, gamma: float = 2.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.gamma = gamma

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, classes), taken as float32, with class numbers (batch,), int32.

        ``"none"`` gives (batch,), the others a scalar. The range of the class numbers is not
        checked: on a CPU one too large is a RuntimeError, and a negative one counts from the end.

        Raises:
            ValueError: there is not one label for each row of logits.
        """
        if labels.shape != logits.shape[:1]:
            raise ValueError(f"logits {logits.shape} need one label a row, not {labels.shape}")
        log_p = ops.log_softmax(logits.astype(float32), 1)
        log_p = ops.gather_elements(log_p, 1, labels.expand_dims(1)).squeeze(1)
        # At p = 1 a power below 1 has an infinite slope: stay one float32 rounding away.
        missing = ops.maximum(-ops.expm1(log_p), 1e-7)
        return self.get_loss(-ops.pow(missing, self.gamma) * log_p)
