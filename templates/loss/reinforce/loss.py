"""The loss of REINFORCE with a baseline."""

from mindspore import Tensor, float32, nn, ops


class Reinforce(nn.LossBase):
    r"""Policy gradient by whole returns over a learned baseline.

    With the probability :math:`\pi(a)` of an action, the discounted return :math:`R` that followed
    it, the baseline :math:`V`, the advantage :math:`A = R - V` and the entropy :math:`H`,

    .. math:: \ell = -A \log \pi(a) + c_V (V - R)^2 / 2 - c_H H

    It holds for actions of the policy that learns: each rollout is for one update. R. J. Williams,
    *Simple statistical gradient-following algorithms for connectionist reinforcement learning*,
    1992; R. S. Sutton and A. G. Barto, *Reinforcement learning*, 2018, section 13.4, whose factor
    :math:`\gamma^t` is left out, as usual: late steps count as much as early ones.

    Args:
        value_coefficient: :math:`c_V`, weight of the baseline's error.
        entropy_coefficient: :math:`c_H`, weight of the entropy.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(
        self,
        value_coefficient: float = 0.5,
        entropy_coefficient: float = 0.01,
        reduction: str = "mean",
    ):
        super().__init__(reduction)
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
            old_log_prob: under the policy that acted, which is the same here: not used.
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
        policy = -log_prob.astype(float32) * advantage
        error = 0.5 * ops.square(value.astype(float32) - target)
        bonus = self.entropy_coefficient * entropy.astype(float32)
        return self.get_loss(policy + self.value_coefficient * error - bonus)
