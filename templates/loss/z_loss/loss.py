"""The cross entropy of every next token, with logits kept near a normalised scale."""

from mindspore import Tensor, float32, nn, ops


class ZLoss(nn.LossBase):
    r"""Cross entropy and a penalty on the logarithm of the softmax's normaliser.

    With the logits :math:`l_t` at position :math:`t`, :math:`\log Z_t = \log \sum_k e^{l_{tk}}` and
    the token :math:`y_t` that follows there, for a row of :math:`T` positions

    .. math:: \ell = \frac{1}{T} \sum_t \left(\log Z_t - l_{t y_t} + c \, (\log Z_t)^2\right)

    A softmax does not change when a number is added to all logits, so nothing else keeps them from
    drifting to where low precision is coarse. A. Chowdhery et al., *PaLM: scaling language modeling
    with pathways*, 2022, for the output's softmax; B. Zoph et al., *ST-MoE: designing stable and
    transferable sparse expert models*, 2022, for a router's.

    Args:
        coefficient: weight :math:`c` of the penalty.
        reduction: ``"mean"`` or ``"sum"`` over rows, or ``"none"``.
    """

    def __init__(self, coefficient: float = 0.0001, reduction: str = "mean"):
        super().__init__(reduction)
        self.coefficient = coefficient

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, length, tokens), taken as float32, with (batch, length), int32.

        ``"none"`` gives (batch,), the others a scalar. The range of the labels is not checked: on a
        CPU one too large is a RuntimeError, and a negative one counts from the end.

        Raises:
            ValueError: there is not one label for each position.
        """
        if labels.shape != logits.shape[:2]:
            raise ValueError(f"logits {logits.shape} need a label a position, not {labels.shape}")
        logits = logits.astype(float32)
        log_z = ops.logsumexp(logits, 2)
        true = ops.gather_elements(logits, 2, labels.expand_dims(2)).squeeze(2)
        return self.get_loss((log_z - true + self.coefficient * ops.square(log_z)).mean(1))
