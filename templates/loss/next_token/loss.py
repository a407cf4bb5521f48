"""The cross entropy of every next token."""

from mindspore import Tensor, float32, nn

from .engine.cpu.cross_entropy import cross_entropy


class NextToken(nn.LossBase):
    r"""Negative log-likelihood of the token that follows, the mean over a row's positions.

    With the softmax :math:`p_t` of the logits at position :math:`t` and the token :math:`y_t` that
    follows there, for a row of :math:`T` positions

    .. math:: \ell = -\frac{1}{T} \sum_t \log p_t(y_t)

    in nats a token; divided by :math:`\log 2` it is in bits.

    Args:
        reduction: ``"mean"`` or ``"sum"`` over rows, or ``"none"``.
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, length, tokens), taken as float32, with (batch, length), int32.

        ``"none"`` gives (batch,), the others a scalar. The range of the labels is not checked: on a
        CPU one too large is a RuntimeError, and a negative one counts from the end.

        Raises:
            ValueError: there is not one label for each position.
        """
        if labels.shape != logits.shape[:2]:
            raise ValueError(f"logits {logits.shape} need a label a position, not {labels.shape}")
        rows = logits.astype(float32).reshape((-1, logits.shape[2]))
        nats = cross_entropy(rows, labels.reshape((-1,)))
        return self.get_loss(nats.reshape(labels.shape).mean(1))
