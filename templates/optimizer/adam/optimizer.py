"""Adam."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


class Adam(nn.Optimizer):
    r"""Adam: every weight moves by the mean of its gradient over the root of its mean square.

    .. math::
        m &= \beta_1 m + (1 - \beta_1) g, \quad v = \beta_2 v + (1 - \beta_2) g^2 \\
        w &= w - \eta \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}

    Kingma and Ba, *Adam: a method for stochastic optimization*, 2015.

    Args:
        parameters: the weights.
        learning_rate: :math:`\eta`, a schedule or a number.
        beta1: decay of the mean.
        beta2: decay of the mean square.
        epsilon: added to the root, in units of the gradient.
    """

    def __init__(
        self,
        parameters: list[Parameter],
        learning_rate: nn.learning_rate_schedule.LearningRateSchedule | float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
    ):
        super().__init__(learning_rate, parameters)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.mean = self.parameters.clone(prefix="mean", init="zeros")
        self.square = self.parameters.clone(prefix="square", init="zeros")

    def construct(self, gradients: tuple[Tensor, ...]) -> bool:
        """Update the weights once."""
        rate = self.get_lr()
        self.assignadd(self.global_step, 1)
        t = ops.cast(self.global_step, ms.float32)
        correction1 = 1 - ops.pow(self.beta1, t)
        correction2 = 1 - ops.pow(self.beta2, t)
        for w, m, v, g in zip(self.parameters, self.mean, self.square, gradients):
            m_next = self.beta1 * m + (1 - self.beta1) * g
            v_next = self.beta2 * v + (1 - self.beta2) * g * g
            step = (m_next / correction1) / (ops.sqrt(v_next / correction2) + self.epsilon)
            ops.assign(m, m_next)
            ops.assign(v, v_next)
            ops.assign(w, w - rate * step)
        return True
