"""The cross entropy against softened labels."""

from mindspore import Tensor, float32, nn, ops


class LabelSmoothing(nn.LossBase):
    r"""Cross entropy against the true class mixed with the uniform distribution.

    With the softmax :math:`p` of the logits over :math:`K` classes, the true class :math:`y` and
    the smoothing :math:`s`,

    .. math:: \ell = -(1 - s) \log p_y - \frac{s}{K} \sum_k \log p_k

    The sum runs over all classes, the true one included. The least loss is above 0.

    Christian Szegedy et al., *Rethinking the Inception architecture for computer vision*, 2016.

    Args:
        smoothing: share of the label that is spread evenly over all classes, between 0 and 1.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(self, smoothing: float = 0.1, reduction: str = "mean"):
        super().__init__(reduction)
        self.smoothing = smoothing

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
        true = ops.gather_elements(log_p, 1, labels.expand_dims(1)).squeeze(1)
        return self.get_loss((self.smoothing - 1) * true - self.smoothing * log_p.mean(1))
