"""The cross entropy."""

from mindspore import Tensor, float32, nn, ops


class CrossEntropy(nn.LossBase):
    r"""Negative log-likelihood of the true class.

    With the softmax :math:`p` of the logits and the true class :math:`y`,

    .. math:: \ell = -\log p_y

    Args:
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

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
        return self.get_loss(-ops.gather_elements(log_p, 1, labels.expand_dims(1)).squeeze(1))
