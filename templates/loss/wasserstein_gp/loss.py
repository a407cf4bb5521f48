"""The Wasserstein distance with a gradient penalty."""

from mindspore import Tensor, float32, nn, ops


class WassersteinGP(nn.LossBase):
    r"""The difference of the mean logits, for a discriminator whose slope is kept near 1.

    With the logits :math:`r` of real and :math:`f` of generated rows, and no sigmoid,

    .. math::
        \ell_D = f - r + \lambda \left( \lVert \nabla D(\hat x) \rVert - 1 \right)^2, \quad
        \ell_G = -f

    Without the penalty, which ``penalty`` computes, minus :math:`\ell_D` estimates the Wasserstein
    distance between real and generated rows, in the unit of the data. It says how good the samples
    are, if the discriminator, here called critic, is trained well: several updates for one of the
    generator's.

    M. Arjovsky, S. Chintala and L. Bottou, *Wasserstein generative adversarial networks*, 2017;
    I. Gulrajani et al., *Improved training of Wasserstein GANs*, 2017.

    Args:
        weight: :math:`\lambda`.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(self, weight: float = 10.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, real_logits: Tensor, fake_logits: Tensor) -> Tensor:
        """Return the discriminator's loss, without the penalty, for logits (batch, 1) each.

        ``"none"`` gives (batch, 1), the others a scalar, all in float32.

        Raises:
            ValueError: the shapes differ; broadcasting would compare every row with every other.
        """
        if real_logits.shape != fake_logits.shape:
            raise ValueError(
                f"logits {real_logits.shape} and {fake_logits.shape} must agree in shape"
            )
        return self.get_loss(fake_logits.astype(float32) - real_logits.astype(float32))

    def generator(self, fake_logits: Tensor) -> Tensor:
        """Return the generator's loss, in the shape of the discriminator's."""
        return self.get_loss(-fake_logits.astype(float32))

    def penalty(self, slope: Tensor) -> Tensor:
        r"""Return :math:`\lambda (\lVert \nabla D(\hat x) \rVert - 1)^2`, its weight included.

        Differentiating it by the weights of the discriminator is a second derivative.

        Args:
            slope: the gradient of each row's logit by that row, (batch, *row), taken at
                :math:`\hat x`, a point somewhere between a real and a generated row.
        """
        square = ops.square(slope.reshape((slope.shape[0], -1))).sum(axis=1, keepdims=True)
        norm = ops.sqrt(square + 1e-12)  # at 0 the root has no slope
        return self.get_loss(self.weight * ops.square(norm - 1))
