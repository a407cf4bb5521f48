"""Loss and metrics of a network over a split."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from mindspore import Tensor, nn{{ ", ops" if cookiecutter.task == "language_model" }}
from rich.console import Console
from rich.table import Table

from .engine import checkpoint, runtime
from .engine.rows import Dataset, Split
from .build import create_loss, create_network
from .config import Config
from .data import load
from .metrics import metrics
from .engine.run import to_json

BATCH = {{ 128 if cookiecutter.task == "language_model" else 256 }}
"""rows in one launch of the compiled evaluation; no metric depends on it"""


def create_eval_step(
    network: nn.Cell, loss_fn: nn.LossBase, execution: str
) -> Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]:
{%% if cookiecutter.task == "language_model" %%}
    """Make ``eval_step(data, label) -> (nats, losses)``; ``loss_fn`` must not reduce.

    ``nats`` is the negative log-likelihood of each byte, (batch, length), without what the loss may
    add to it: 256 times less to carry to the host than the logits.
    """

    def eval_step(data, label):
        logits = network(data)
        log_p = ops.log_softmax(logits, 2)
        nats = -ops.gather_elements(log_p, 2, label.expand_dims(2)).squeeze(2)
        return nats, loss_fn(logits, label)
{%% else %%}
    """Make ``eval_step(data, label) -> (logits, losses)``; ``loss_fn`` must not reduce."""

    def eval_step(data, label):
        logits = network(data)
        return logits, loss_fn(logits, label)
{%% endif %%}

    return runtime.compiled(eval_step, execution)


def evaluate_split(
    eval_step: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]], dataset: Dataset, name: str
) -> dict[str, float]:
    """Return the mean loss and the metrics over all rows of the split called ``name``.

    The last batch is filled up with rows from the start, which do not count, so that all batches
    have one shape and nothing compiles twice.
    """
    split: Split = getattr(dataset, name)
    rows = len(split.data)
    outputs, losses = [], []
    for start in range(0, rows, BATCH):
        chosen = np.arange(start, start + BATCH) % rows
        {{ "nats" if cookiecutter.task == "language_model" else "logits" }}, loss = eval_step(Tensor(split.data[chosen]), Tensor(split.label[chosen]))
        outputs.append({{ "nats" if cookiecutter.task == "language_model" else "logits" }}.asnumpy())
        losses.append(loss.asnumpy())
    output, losses_of_rows = np.concatenate(outputs)[:rows], np.concatenate(losses)[:rows]
{%% if cookiecutter.task == "regression" %%}
    unit = dataset.label_unit
    return {"loss": float(losses_of_rows.mean()), **metrics(output * unit, split.label * unit)}
{%% elif cookiecutter.task == "language_model" %%}
    return {"loss": float(losses_of_rows.mean()), **metrics(output)}
{%% else %%}
    return {"loss": float(losses_of_rows.mean()), **metrics(output, split.label)}
{%% endif %%}


def evaluate(config: Config, path: Path, as_json: bool) -> dict[str, float]:
    """Evaluate the weights in ``path`` on the test split and print the result.

    Args:
        config: settings of the run that made the weights.
        path: the checkpoint.
        as_json: print one JSON object instead of a table.
    """
    runtime.start(config.device, config.execution, config.seed)
    dataset = load(config)
    network = create_network(config, dataset)
    checkpoint.load(network, path)
    network.set_train(False)
    eval_step = create_eval_step(network, create_loss(config, reduction="none"), config.execution)
    result = evaluate_split(eval_step, dataset, "test")
    if as_json:
        print(to_json(result))
    else:
        table = Table("metric", "test")
        for name, value in result.items():
            table.add_row(name, f"{value:.6g}")
        print(path)
        Console().print(table)
    return result
