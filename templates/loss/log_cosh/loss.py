"""The logarithm of the hyperbolic cosine."""

import math

from mindspore import Tensor, float32, nn, ops


class LogCosh(nn.LossBase):
    r"""Half the squared error near zero, the absolute error less log 2 far out, smooth throughout.

    With the residual :math:`r = logits - labels`,

    .. math:: \ell = \log \cosh r = |r| + \log(1 + e^{-2|r|}) - \log 2

    Its slope is :math:`\tanh r`, so an outlier pulls no harder than 1.

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
        size = ops.abs(logits.astype(float32) - labels)
        far = size + ops.log1p(ops.exp(-2 * size)) - math.log(2)
        # Near zero the terms of far cancel, those of log cosh r = 2 artanh(tanh^2(r / 2)) do not.
        near = 2 * ops.atanh(ops.square(ops.tanh(0.5 * ops.minimum(size, 1.0))))
        return self.get_loss(ops.where(size < 1, near, far))
