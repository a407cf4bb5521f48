"""The least-squares loss of a generative adversarial network."""

from mindspore import Tensor, float32, nn, ops


class LeastSquares(nn.LossBase):
    r"""Squared error of the logits to the labels 1 for real rows and 0 for generated ones.

    With the logits :math:`r` of real and :math:`f` of generated rows,

    .. math:: \ell_D = \frac{(r - 1)^2 + f^2}{2}, \quad \ell_G = \frac{(f - 1)^2}{2}

    A sample on the right side but far from the real ones still has a slope, where cross entropy has
    none. A discriminator that cannot tell the two apart has the loss 1/4.

    X. Mao et al., *Least squares generative adversarial networks*, 2017, its equation 9.

    Args:
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def construct(self, real_logits: Tensor, fake_logits: Tensor) -> Tensor:
        """Return the discriminator's loss for logits (batch, 1) each, taken as float32.

        ``"none"`` gives (batch, 1), the others a scalar.

        Raises:
            ValueError: the shapes differ; broadcasting would compare every row with every other.
        """
        if real_logits.shape != fake_logits.shape:
            raise ValueError(
                f"logits {real_logits.shape} and {fake_logits.shape} must agree in shape"
            )
        real_error = ops.square(real_logits.astype(float32) - 1)
        return self.get_loss((real_error + ops.square(fake_logits.astype(float32))) / 2)

    def generator(self, fake_logits: Tensor) -> Tensor:
        """Return the generator's loss, in the shape of the discriminator's."""
        return self.get_loss(ops.square(fake_logits.astype(float32) - 1) / 2)
