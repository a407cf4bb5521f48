"""The loss of proximal policy optimisation."""

from mindspore import Tensor, float32, nn, ops


class PPO(nn.LossBase):
    r"""Policy gradient with a clipped ratio, beside the critic's error and the policy's entropy.

    With the ratio :math:`\rho = \pi(a) / \pi_{old}(a)` of an action's probabilities, the advantage
    :math:`A`, the value :math:`V`, its target :math:`R` and the entropy :math:`H`,

    .. math::
        \ell = -\min(\rho A, \operatorname{clip}(\rho, 1 - \epsilon, 1 + \epsilon) A)
            + c_V (V - R)^2 / 2 - c_H H

    so that an update gains nothing from a ratio beyond the bounds. Schulman, Wolski, Dhariwal,
    Radford and Klimov, *Proximal policy optimization algorithms*, 2017.

    Args:
        clip_ratio: :math:`\epsilon`, how far from 1 the ratio may gain.
        value_coefficient: :math:`c_V`, weight of the critic's error.
        entropy_coefficient: :math:`c_H`, weight of the entropy.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(
        self,
        clip_ratio: float = 0.2,
        value_coefficient: float = 0.5,
        entropy_coefficient: float = 0.01,
        reduction: str = "mean",
    ):
        super().__init__(reduction)
        self.least, self.most = 1 - clip_ratio, 1 + clip_ratio
        self.value_coefficient = value_coefficient
        self.entropy_coefficient = entropy_coefficient

    def construct(
        self,
        log_prob: Tensor,
        old_log_prob: Tensor,
        advantage: Tensor,
        value: Tensor,
        target: Tensor,
        entropy: Tensor,
    ) -> Tensor:
        """Judge the actions taken; every argument is (batch,).

        Args:
            log_prob: logarithm of each action's probability under the policy that learns.
            old_log_prob: the same under the policy that acted.
            advantage: how much better than expected each action was.
            value: the critic's estimates.
            target: the returns that they should be.
            entropy: of the policy at each observation.

        ``"none"`` gives (batch,), the others a scalar.

        Raises:
            ValueError: the shapes differ; broadcasting would compare every row with every other.
        """
        for x in (old_log_prob, advantage, value, target, entropy):
            if x.shape != log_prob.shape:
                raise ValueError(f"{x.shape} and {log_prob.shape} must agree in shape")
        ratio = ops.exp(log_prob.astype(float32) - old_log_prob)
        gain = ratio * advantage
        bounded = ops.clamp(ratio, self.least, self.most) * advantage
        # Not minimum: on a CPU it takes the bound in place of a NaN.
        policy = -ops.select(bounded < gain, bounded, gain)
        error = 0.5 * ops.square(value.astype(float32) - target)
        bonus = self.entropy_coefficient * entropy.astype(float32)
        return self.get_loss(policy + self.value_coefficient * error - bonus)
