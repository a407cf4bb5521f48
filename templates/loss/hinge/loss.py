"""The hinge loss of a generative adversarial network."""

from mindspore import Tensor, float32, nn, ops


class Hinge(nn.LossBase):
    r"""Margins: the discriminator learns only from rows that it puts on the wrong side of 1 or -1.

    With the logits :math:`r` of real and :math:`f` of generated rows, and no sigmoid,

    .. math:: \ell_D = \max(0, 1 - r) + \max(0, 1 + f), \quad \ell_G = -f

    A discriminator that cannot tell the two apart has the loss 2.

    J. H. Lim and J. C. Ye, *Geometric GAN*, 2017; T. Miyato et al., *Spectral normalization for
    generative adversarial networks*, 2018.

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
        real_error = positive_part(1 - real_logits.astype(float32))
        return self.get_loss(real_error + positive_part(1 + fake_logits.astype(float32)))

    def generator(self, fake_logits: Tensor) -> Tensor:
        """Return the generator's loss, in the shape of the discriminator's."""
        return self.get_loss(-fake_logits.astype(float32))


def positive_part(x: Tensor) -> Tensor:
    """Return the larger of x and 0; a NaN stays, where ``ops.relu`` makes it 0 on a CPU."""
    return ops.select(x <= 0, ops.zeros_like(x), x)
