"""The non-saturating loss of a generative adversarial network."""

from mindspore import Tensor, float32, nn, ops


class NonSaturating(nn.LossBase):
    r"""Cross entropy of real against generated; the generator's side keeps its slope.

    With the logits :math:`r` of real and :math:`f` of generated rows,

    .. math::
        \ell_D = \log(1 + e^{-r}) + \log(1 + e^{f}), \quad \ell_G = \log(1 + e^{-f})

    At the optimum the discriminator's is :math:`2 \log 2 - 2 \, JSD`, 1.386 where it cannot tell
    the two apart. The generator maximises the probability that its rows are taken for real:
    minimising :math:`\log(1 - D)` instead has no slope where the discriminator is sure.

    I. Goodfellow et al., *Generative adversarial nets*, 2014.

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
        return self.get_loss(
            ops.softplus(-real_logits.astype(float32)) + ops.softplus(fake_logits.astype(float32))
        )

    def generator(self, fake_logits: Tensor) -> Tensor:
        """Return the generator's loss, in the shape of the discriminator's."""
        return self.get_loss(ops.softplus(-fake_logits.astype(float32)))
