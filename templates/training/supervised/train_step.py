{%% set policy = cookiecutter.gradient_policy %%}
"""The path from a batch to the updated weights, and the loop over batches around it."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn, ops

from .config import Config
from .engine.accumulate import accumulate
from .engine.runtime import compiled
{%% if policy != "none" %%}
from .gradients import {{ policy }}
{%% endif %%}


def create_train_step(
    network: nn.Cell, loss_fn: nn.LossBase, optimizer: nn.Optimizer, config: Config
) -> Callable[[Tensor, Tensor], Tensor]:
    """Make ``train_step(data, label) -> loss``, which updates the weights once."""

    def forward_fn(data, label):
        logits = network(data)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
    grad_fn = accumulate(grad_fn, config.accumulation_steps)
{%% if policy != "none" %%}
    grad_fn = {%% include "gradient_policy/" ~ policy ~ "/use.py" %%}
{%% endif %%}

    def train_step(data, label):
        value, grads = grad_fn(data, label)  # value is (loss, logits)
        return ops.depend(value[0], optimizer(grads))  # the graph keeps what the result depends on

    return train_step


def create_train_steps(
    train_step: Callable[[Tensor, Tensor], Tensor], steps_per_call: int, execution: str
) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """Make ``train_steps(steps, data, label) -> losses``: many updates in one launch of the graph.

    ``data`` and ``label`` are batches stacked to (steps_per_call, batch, ...), of which the first
    ``steps`` (a scalar int32 Tensor) are used; ``losses`` is (steps_per_call,), each taken before
    its update. A launch from Python costs more than a small step, so the loop is in the graph.
    """

    def one_step(steps, data, label):  # steps is 1
        return ops.reshape(train_step(data[0], label[0]), (1,))

    def many_steps(steps, data, label):
        losses = ops.zeros(steps_per_call, ms.float32)
        i = ops.zeros((), ms.int32)
        while i < steps:
            # x[i] would mend a negative i first, with three kernels more
            losses[i] = train_step(ops.gather(data, i, 0), ops.gather(label, i, 0))
            i = i + 1
        return losses

    return compiled(one_step if steps_per_call == 1 else many_steps, execution)
