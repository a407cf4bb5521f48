{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}
"""Adversarial training as a record: its parts, its batches, and how weights are judged."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from mindspore import Tensor, float32, nn

from .build import create_loss, create_network
from .config import Config
from .data import load
from .engine.kept import Kept
from .engine.launch import Chunk, evaluate_rows, in_chunks
from .engine.measure import measures
from .engine.precision import create_scaler, lower
from .engine.ranks import world
from .engine.rows import Dataset, Split, steps_per_epoch
from .engine.runtime import check_micro_batches, compiled, count_updates, resolve_steps_per_call
from .engine.streams import Rows, reader
from .engine.task import Task
from .metrics import create_measure, score
from .samples import draw
{{ "from .tracker import create_tracker\n" if cookiecutter.tracker != "none" }}from .train_step import create_optimizers, create_train_step

ROWS = 250
"""rows in one launch of the compiled evaluation; no metric depends on it"""
SAMPLES = 2000
"""samples that are judged"""


def create_task(config: Config, kept: str | None = None) -> Task:
    """Make the two networks and all that trains and judges them.

    Args:
        config: settings of the run.
        kept: what the run that is evaluated kept of its data, as JSON; None for a new run.

    Raises:
        InputError: a setting does not fit the data.
    """
    check_micro_batches(config.batch_size, config.accumulation_steps)
    dataset = load(config, Kept.from_json(kept) if kept else None)
    rows = dataset.train.first(config.train_rows).data
    steps = steps_per_epoch(len(rows), config.batch_size) if kept is None else 1
    steps_per_call = resolve_steps_per_call(
        config.steps_per_call,
        config.device,
        steps,
        config.discriminator_steps + 1,
        rows[:1].nbytes * config.batch_size * config.discriminator_steps,
    )
    network = lower(create_network(config, dataset), config.precision)
    loss_fn = create_loss(config, dataset)
    optimizers = create_optimizers(config, network, count_updates(config, steps))
    scaler = create_scaler(config.precision, config.skip_non_finite)
    judge, sample = create_evaluate(network, dataset, config)

    def feed(epoch: int, first: int) -> Iterator[Chunk]:
        return batches(rows, config, steps_per_call, epoch, first)

    def picture(name: str, path: Path) -> None:
        split: Split = getattr(dataset, name)
        draw(sample(split)[0], np.asarray(split.data[:SAMPLES]), path)

    return Task(
        network=network,
        optimizers=optimizers,
        scaler=scaler,
        train_step=create_train_step(network, loss_fn, optimizers, scaler, config),
        losses=("loss", "generator_loss"),
        measured=measures(config.log_every, policy={{ cookiecutter.gradient_policy != "none" }}),
        steps_per_call=steps_per_call,
        steps_per_epoch=steps,
        feed=feed,
        evaluate=judge,
        score=score,
        probe=create_probe(network, loss_fn, rows, config.network.latent),
        kept=dataset.kept.to_json() if dataset.kept else None,
        found=dataset.found,
        remarks=list(dataset.remarks),
        draw=picture,
        picture="samples.png",
        picture_every=config.picture_every,{{ "\n        track=create_tracker," if cookiecutter.tracker != "none" }}
    )


def create_exported(config: Config, kept: str | None) -> tuple[nn.Cell, nn.Cell, np.ndarray]:
    """Make both networks, say which one leaves the project, and give a latent that this one takes.

    Args:
        config: settings of the run.
        kept: what the run kept of its data, as JSON.
    """
    network = create_network(config, Kept.from_json(kept))
    return network, network.generator, np.linspace(-1, 1, config.network.latent, dtype=np.float32)


def batches(
    data: Rows, config: Config, steps_per_call: int, epoch: int, first: int = 0
) -> Iterator[Chunk]:
    """Yield ``[real, latent{{ ", mix" if penalty }}]`` of an epoch from step ``first`` on, as (steps_per_call, ...).

    A step takes ``real`` (discriminator_steps, batch, *row): the discriminator goes over ``data``
    discriminator_steps times in an epoch, each time in another order. Its ``latent``, standard
    normal, is (discriminator_steps + 1, batch, latent), the last for the generator.{{ "\n    ``mix``, uniform from 0 to 1, is (discriminator_steps, batch, 1, ...), with real's dimensions." if penalty }}

    A rank gets its share of every batch. Everything depends on ``(config.seed, epoch)`` alone, so
    any epoch can be replayed.
    """
    size, updates = config.batch_size, config.discriminator_steps
    total = steps_per_epoch(len(data), size)
    rng, latent_rng{{ ", mix_rng" if penalty }} = np.random.default_rng((config.seed, epoch)).spawn({{ 3 if penalty else 2 }})
    orders = [rng.permutation(len(data))[: total * size] for _ in range(updates)]
    mine = world().mine(size)
    order = np.stack([order.reshape(total, size) for order in orders], axis=1)[:, :, mine]

    def drawn(steps: int) -> list[np.ndarray]:
        latent = (steps, updates + 1, size, config.network.latent)
        arrays = [latent_rng.standard_normal(latent, np.float32)]
{%% if penalty %%}
        mix = (steps, updates, size, *[1] * (data.ndim - 1))
        arrays.append(mix_rng.random(mix, np.float32))
{%% endif %%}
        return [array[:, :, mine] for array in arrays]

    drawn(first)
    read = reader(data, order, first, (config.seed, epoch))
    for steps, chunk in in_chunks(order[first:], steps_per_call):
        filled = [np.resize(x, (steps_per_call, *x.shape[1:])) for x in drawn(steps)]
        yield Chunk(steps, [read(steps, chunk), *filled])


def create_probe(
    network: nn.Cell, loss_fn: nn.LossBase, rows: Rows, latent: int
) -> Callable[[], Tensor]:
    """Make ``probe() -> loss``, the discriminator's, of two rows and two samples."""

    def probe() -> Tensor:
        real = Tensor(np.resize(rows[:2], (2, *rows.shape[1:])))
        fake = network.generator(Tensor(np.zeros((2, latent), np.float32)))
        return loss_fn(network.discriminator(real), network.discriminator(fake))

    return probe


def create_evaluate(
    network: nn.Cell, dataset: Dataset, config: Config
) -> tuple[Callable[[str], dict[str, float]], Callable[[Split], list[np.ndarray]]]:
    """Make ``evaluate(split) -> metrics`` and ``sample(split) -> [samples, losses]``.

    The latents depend on the seed alone: every epoch judges the same ones. The discriminator's loss
    pairs each row of the split with one sample.
    """
    loss_fn = create_loss(config, dataset, reduction="none")
    measure = create_measure(config, dataset)

    def eval_step(real, latent):
        fake = network.generator(latent).astype(float32)
        return fake, loss_fn(network.discriminator(real), network.discriminator(fake))

    step = compiled(eval_step, config.execution)

    def sample(split: Split) -> list[np.ndarray]:
        rows = len(split.data)
        rng = np.random.default_rng((config.seed, *b"evaluation"))
        latent = rng.standard_normal((max(rows, SAMPLES) + ROWS, config.network.latent), np.float32)

        def pick(i: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return split.data[i % rows], latent[i]

        samples, losses = evaluate_rows(step, pick, max(rows, SAMPLES), ROWS)
        return [samples[:SAMPLES], losses[:rows]]

    def evaluate(name: str) -> dict[str, float]:
        split = dataset.judged(name, config.validation_rows)
        samples, losses = sample(split)
        return {"loss": float(losses.mean()), **measure(samples, split.data)}

    return evaluate, sample
