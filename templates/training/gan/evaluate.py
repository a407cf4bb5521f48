"""What the generator makes, and how it is judged."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from mindspore import Tensor, nn
from rich.console import Console
from rich.table import Table

from .engine import checkpoint, runtime
from .engine.rows import Split
from .build import create_loss, create_network
from .config import Config
from .data import load
from .metrics import create_metrics
from .samples import draw
from .engine.run import to_json

BATCH = 250
"""rows in one launch of the compiled evaluation; no metric depends on it"""
SAMPLES = 2000
"""samples that are judged"""


def create_eval_step(
    network: nn.Cell, loss_fn: nn.LossBase, execution: str
) -> Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """Make ``eval_step(real, latent) -> (samples, losses)``; ``loss_fn`` must not reduce."""

    def eval_step(real, latent):
        fake = network.generator(latent)
        return fake, loss_fn(network.discriminator(real), network.discriminator(fake))

    return runtime.compiled(eval_step, execution)


def evaluate_split(
    eval_step: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]],
    metrics: Callable[[np.ndarray, np.ndarray], dict[str, float]],
    split: Split,
    config: Config,
) -> tuple[dict[str, float], np.ndarray]:
    """Return the discriminator's loss and the metrics, and the samples they are of.

    The latents depend on the seed alone: every epoch judges the same ones. The loss pairs each row
    of the split with one sample. The last batch is filled up with what does not count, so that all
    batches have one shape and nothing compiles twice.
    """
    rows = len(split.data)
    rng = np.random.default_rng((config.seed, *b"evaluation"))
    samples, losses = [], []
    for start in range(0, max(rows, SAMPLES), BATCH):
        real = split.data[np.arange(start, start + BATCH) % rows]
        latent = rng.standard_normal((BATCH, config.network.latent), np.float32)
        fake, loss = eval_step(Tensor(real), Tensor(latent))
        samples.append(fake.asnumpy())
        losses.append(loss.asnumpy())
    sample, loss_of_rows = np.concatenate(samples)[:SAMPLES], np.concatenate(losses)[:rows]
    return {"loss": float(loss_of_rows.mean()), **metrics(sample, split.data)}, sample


def evaluate(config: Config, path: Path, as_json: bool) -> dict[str, float]:
    """Evaluate the weights in ``path`` on the test split, print the result and draw samples.

    Args:
        config: settings of the run that made the weights.
        path: the checkpoint; ``samples.png`` goes into its run's folder.
        as_json: print one JSON object instead of a table.
    """
    runtime.start(config.device, config.execution, config.seed)
    dataset = load(config)
    network = create_network(config, dataset)
    checkpoint.load(network, path)
    network.set_train(False)
    eval_step = create_eval_step(network, create_loss(config, reduction="none"), config.execution)
    metrics = create_metrics(config, dataset)
    result, samples = evaluate_split(eval_step, metrics, dataset.test, config)
    picture = path.resolve().parents[1] / "samples.png"
    draw(samples, dataset.test.data, picture)
    if as_json:
        print(to_json(result))
    else:
        table = Table("metric", "test")
        for name, value in result.items():
            table.add_row(name, f"{value:.6g}")
        print(path)
        Console().print(table)
        print(picture)
    return result
