{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}
"""The stacked batches that a call of ``train_steps`` takes."""

from collections.abc import Iterator

import numpy as np

from .config import Config
from .engine.rows import steps_per_epoch


def batches(
    data: np.ndarray, config: Config, steps_per_call: int, epoch: int
) -> Iterator[tuple[int, list[np.ndarray]]]:
    """Yield an epoch as ``(steps, [real, latent{{ ", mix" if penalty }}])``, stacked to (steps_per_call, ...).

    A step takes ``real`` (discriminator_steps, batch, *row): the discriminator goes over ``data``
    discriminator_steps times in an epoch, each time in another order. Its ``latent``, standard
    normal, is (discriminator_steps + 1, batch, latent), the last for the generator.
{%% if penalty %%}
    ``mix``, uniform from 0 to 1, is (discriminator_steps, batch, 1, ...), with real's dimensions.
{%% endif %%}

    Everything depends on ``(config.seed, epoch)`` alone, so any epoch can be replayed. Every yield
    has the same shape, so nothing compiles twice; in the last only the first ``steps`` count.
    """
    size, updates = config.batch_size, config.discriminator_steps
    total = steps_per_epoch(len(data), size)
    rng, latent_rng{{ ", mix_rng" if penalty }} = np.random.default_rng((config.seed, epoch)).spawn({{ 3 if penalty else 2 }})
    orders = [rng.permutation(len(data))[: total * size] for _ in range(updates)]
    order = np.stack([order.reshape(total, size) for order in orders], axis=1)
    for start in range(0, total, steps_per_call):
        chunk = order[start : start + steps_per_call]
        steps = len(chunk)
        latent = (steps, updates + 1, size, config.network.latent)
        arrays = [data[chunk], latent_rng.standard_normal(latent, np.float32)]
{%% if penalty %%}
        arrays.append(mix_rng.random((*chunk.shape, *[1] * (data.ndim - 1)), np.float32))
{%% endif %%}
        yield steps, [np.resize(array, (steps_per_call, *array.shape[1:])) for array in arrays]
