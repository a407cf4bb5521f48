"""Many steps in one launch of the compiled graph."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from .ranks import gather, world
from .runtime import compiled


class Chunk(NamedTuple):
    """The batches of one launch."""

    steps: int
    """batches that count; the rest only fill the arrays up to their one shape"""
    arrays: list[np.ndarray]
    """each (steps_per_call, batch, ...)"""


class Pieces:
    """Chunks, cut anywhere without a copy."""

    def __init__(self, chunks: Iterator[Chunk]):
        self.chunks, self.chunk, self.taken = chunks, Chunk(0, []), 0

    def take(self, most: int) -> tuple[Chunk, int]:
        """Return a chunk up to where a launch ends, and where it begins: ``most`` steps, or less.

        No launch goes over the end of a chunk.
        """
        if self.taken == self.chunk.steps:
            self.chunk, self.taken = next(self.chunks), 0
        first = self.taken
        self.taken = min(first + most, self.chunk.steps)
        return Chunk(self.taken, self.chunk.arrays), first


Launch = Callable[..., tuple[int, Tensor]]
"""``(chunk, first=0) -> (steps, losses)``"""


def in_chunks(order: np.ndarray, steps_per_call: int) -> Iterator[tuple[int, np.ndarray]]:
    """Cut row numbers (steps, batch, ...) into ``(steps, (steps_per_call, batch, ...))``.

    The last piece is filled up with repetitions, so that all have one shape and nothing compiles
    twice.
    """
    for start in range(0, len(order), steps_per_call):
        chunk = order[start : start + steps_per_call]
        yield len(chunk), np.resize(chunk, (steps_per_call, *chunk.shape[1:]))


def create_launch(
    train_step: Callable[..., Tensor],
    losses: int,
    steps_per_call: int,
    execution: str,
    measured: int = 0,
) -> Launch:
    """Make ``launch(chunk, first=0) -> (steps, losses)``: a step for each batch that counts.

    A launch from Python costs more than a small step, so the loop is in the graph. The result is
    (steps_per_call,) for one loss and (steps_per_call, losses) for more, each taken before its
    update, with an axis more where something is measured beside; only those from ``first`` up to
    ``steps`` count. It is not waited for.

    Args:
        train_step: ``(*batch) -> losses``, a scalar for one and (losses,) for more.
        losses: how many.
        steps_per_call: steps in a launch, at most.
        execution: as in ``Config``.
        measured: numbers that go with each loss.
    """
    shape: tuple[int, ...] = (steps_per_call,) if losses == 1 else (steps_per_call, losses)
    shape += (1 + measured,) if measured else ()

    def one_step(first, steps, *batch):  # 0 and 1
        return ops.reshape(train_step(*[x[0] for x in batch]), shape)

    def many_steps(first, steps, *batch):
        found = ops.zeros(shape, ms.float32)
        i = first
        while i < steps:
            # x[i] would mend a negative i first, with three kernels more
            found[i] = train_step(*[ops.gather(x, i, 0) for x in batch])
            i = i + 1
        return found

    train_steps = compiled(one_step if steps_per_call == 1 else many_steps, execution)

    def launch(chunk: Chunk, first: int = 0) -> tuple[int, Tensor]:
        span = Tensor(first, ms.int32), Tensor(chunk.steps, ms.int32)
        return chunk.steps, train_steps(*span, *map(Tensor.from_numpy, chunk.arrays))

    return launch


def mean_losses(names: tuple[str, ...], losses: np.ndarray, skip: bool = False) -> dict[str, float]:
    """Average the losses of all steps, (steps, losses), each by its name.

    If ``skip``, a step whose update was skipped, and whose loss is NaN, is counted instead, as
    ``skipped_updates``; where all were skipped the mean is NaN.
    """
    if not skip:
        return dict(zip(names, map(float, losses.mean(axis=0))))
    taken = ~np.isnan(losses)
    means = [float(x[t].mean()) if t.any() else np.nan for x, t in zip(losses.T, taken.T)]
    return {**dict(zip(names, means)), "skipped_updates": int((~taken).any(axis=1).sum())}


def evaluate_rows(
    step: Callable[..., tuple[Tensor, ...]],
    pick: Callable[[np.ndarray], Iterable[np.ndarray]],
    rows: int,
    batch: int,
) -> list[np.ndarray]:
    """Call a compiled step on all rows, ``batch`` at a time, and join each of its results.

    The last batch is filled up, so that all have one shape and nothing compiles twice; what fills
    it up is cut off again. The ranks take the batches in turn and all get all results, to the bit
    those of one process.

    Args:
        step: ``(*arrays) -> results``, each with one entry a row.
        pick: turns row numbers, of which the last may be ``rows`` and more, into arrays.
        rows: how many rows count.
        batch: how many ``step`` takes.
    """
    results = []
    last = (rows - 1) // batch * batch
    for start in range(0, rows, batch * world().size):
        own = min(start + batch * world().rank, last)  # a rank that has none left does the last
        arrays = pick(np.arange(own, own + batch))
        results.append([gather(x.asnumpy()) for x in step(*map(Tensor, arrays))])
    return [np.concatenate(parts)[:rows] for parts in zip(*results)]
