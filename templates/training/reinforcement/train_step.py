{%% set policy = cookiecutter.gradient_policy %%}
"""The path from a minibatch to the updated weights, and the loop over minibatches around it."""

from collections.abc import Callable

import mindspore as ms
from mindspore import Tensor, nn, ops

from .actions import Categorical, Gaussian
from .config import Config
from .engine.accumulate import accumulate
from .engine.runtime import compiled
{%% if policy != "none" %%}
from .gradients import {{ policy }}
{%% endif %%}


def create_train_step(
    network: nn.Cell,
    actions: Categorical | Gaussian,
    loss_fn: nn.LossBase,
    optimizer: nn.Optimizer,
    config: Config,
) -> Callable[..., Tensor]:
    """Make ``train_step(observation, action, old_log_prob, advantage, target) -> loss``.

    It updates the weights once.
    """

    def forward_fn(observation, action, old_log_prob, advantage, target):
        output = network(observation)
        policy, value = output[:, :-1], output[:, -1]
        log_prob, entropy = actions.log_prob(policy, action), actions.entropy(policy)
        return loss_fn(log_prob, old_log_prob, advantage, value, target, entropy), output

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
    grad_fn = accumulate(grad_fn, config.accumulation_steps)
{%% if policy != "none" %%}
    grad_fn = {%% include "gradient_policy/" ~ policy ~ "/use.py" %%}
{%% endif %%}

    def train_step(*batch):
        value, grads = grad_fn(*batch)  # value is (loss, output)
        return ops.depend(value[0], optimizer(grads))  # the graph keeps what the result depends on

    return train_step


def create_train_steps(
    train_step: Callable[..., Tensor], steps_per_call: int, execution: str
) -> Callable[..., Tensor]:
    """Make ``train_steps(steps, *batch) -> losses``: many updates in one launch of the graph.

    The arrays of ``batch`` are minibatches stacked to (steps_per_call, batch, ...), of which the
    first ``steps`` (a scalar int32 Tensor) are used; ``losses`` is (steps_per_call,), each taken
    before its update. A launch from Python costs more than a small step, so the loop is in the
    graph.
    """

    def one_step(steps, *batch):  # steps is 1
        return ops.reshape(train_step(*[x[0] for x in batch]), (1,))

    def many_steps(steps, *batch):
        losses = ops.zeros(steps_per_call, ms.float32)
        i = ops.zeros((), ms.int32)
        while i < steps:
            # x[i] would mend a negative i first, with three kernels more
            losses[i] = train_step(*[ops.gather(x, i, 0) for x in batch])
            i = i + 1
        return losses

    return compiled(one_step if steps_per_call == 1 else many_steps, execution)
