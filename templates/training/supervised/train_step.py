"""The path from a batch to the updated weights."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn

from .config import Config
from .engine.accumulate import accumulate
from .engine.measure import measured{{ ", remember" if cookiecutter.gradient_policy != "none" }}
from .engine.precision import Scaler
from .engine.ranks import average_over_ranks{{ "\nfrom .gradients import " ~ cookiecutter.gradient_policy if cookiecutter.gradient_policy != "none" }}


def create_train_step(
    network: nn.Cell, loss_fn: nn.LossBase, optimizer: nn.Optimizer, scaler: Scaler, config: Config
) -> Callable[[Tensor, Tensor], Tensor]:
    """Make ``train_step(data, label) -> loss``, which updates the weights once."""

    def forward_fn(data, label):
        logits = network(data)
        return loss_fn(logits, label), logits

{%% filter indent(4, first=true) %%}{%% include "training/chain.py" %%}{%% endfilter %%}

    def train_step(data, label):
        value, grads = grad_fn(data, label)  # the value is (loss, logits)
        return update(value[0], grads)

    return train_step
