"""The stacked batches that a call of ``train_steps`` takes."""

from collections.abc import Iterator

import numpy as np

from .engine.rows import Split, steps_per_epoch


def batches(
    split: Split, batch_size: int, steps_per_call: int, seed: int, epoch: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield an epoch as ``(steps, data, label)``, arrays stacked to (steps_per_call, batch, ...).

    The order depends on ``(seed, epoch)`` alone, so any epoch can be replayed. Every yield has the
    same shape, so nothing compiles twice; in the last only the first ``steps`` batches count.
    """
    total = steps_per_epoch(len(split.data), batch_size)
    order = np.random.default_rng((seed, epoch)).permutation(len(split.data))
    order = order[: total * batch_size].reshape(total, batch_size)
    for start in range(0, total, steps_per_call):
        chunk = order[start : start + steps_per_call]
        steps = len(chunk)
        chunk = np.resize(chunk, (steps_per_call, batch_size))
        yield steps, split.data[chunk], split.label[chunk]
