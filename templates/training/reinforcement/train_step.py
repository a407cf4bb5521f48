"""The path from a batch to the updated weights."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn

from .actions import Categorical, Gaussian
from .config import Config
from .engine.accumulate import accumulate
from .engine.measure import measured{{ ", remember" if cookiecutter.gradient_policy != "none" }}
from .engine.precision import Scaler{{ "\nfrom .gradients import " ~ cookiecutter.gradient_policy if cookiecutter.gradient_policy != "none" }}


def create_train_step(
    network: nn.Cell,
    actions: Categorical | Gaussian,
    loss_fn: nn.LossBase,
    optimizer: nn.Optimizer,
    scaler: Scaler,
    config: Config,
) -> Callable[..., Tensor]:
    """Make ``train_step(observation, action, old_log_prob, advantage, target) -> loss``.

    It updates the weights once.
    """

    def forward_fn(observation, action, old_log_prob, advantage, target):
        output = network(observation).astype(ms.float32)
        policy, value = output[:, :-1], output[:, -1]
        log_prob, entropy = actions.log_prob(policy, action), actions.entropy(policy)
        return loss_fn(log_prob, old_log_prob, advantage, value, target, entropy), output

{%% filter indent(4, first=true) %%}{%% include "training/chain.py" %%}{%% endfilter %%}

    def train_step(*batch):
        value, grads = grad_fn(*batch)  # the value is (loss, output)
        return update(value[0], grads)

    return train_step
