"""One training in several processes, called ranks: each sees its share of every batch.

``launch`` starts them, or MindSpore's ``msrun``. All have the same weights; rank 0 alone writes.
"""

import os
import pickle
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, TypeVar, cast

import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init

from .errors import InputError, RunError
from .stop import stop

Value = TypeVar("Value")


class World(NamedTuple):
    """Which of the ranks this process is, and how many there are."""

    rank: int = 0
    size: int = 1

    def mine(self, rows: int) -> slice:
        """Say which of so many rows, a multiple of ``size``, are this rank's."""
        share = rows // self.size
        return slice(self.rank * share, (self.rank + 1) * share)


@cache
def world() -> World:
    """Say which rank this is; the first time, after the device was chosen, meet the others.

    The scheduler, a process that only keeps the ranks together, never returns from here.

    Raises:
        RunError: a rank did not come or, in the scheduler, is gone.
    """
    role = os.environ.get("MS_ROLE")
    if role is None:
        return World()
    if role == "MS_SCHED":
        stop.begin()  # it outlives the ranks
    try:
        init()
    except RuntimeError as error:
        raise RunError(explain(str(error))) from error
    return World(get_rank(), get_group_size())


def explain(reason: str) -> str:
    """Turn MindSpore's reason for an end into a line."""
    if gone := re.search(r"worker (\d+) is the first one timed out", reason):
        return f"rank {gone[1]} does not answer any more"
    if "Failed to initialize distributed job cluster" not in reason:
        return " ".join(reason.split())
    place = ":".join(os.environ.get(f"MS_SCHED_{part}", "") for part in ("HOST", "PORT"))
    return (
        f"the {os.environ.get('MS_WORKER_NUM')} ranks did not all come to {place} within "
        f"{os.environ.get('MS_TOPO_TIMEOUT')} seconds: start every machine, with the same address"
    )


def average_over_ranks(grad_fn: Callable, parameters: Iterable[Parameter]) -> Callable:
    """Average loss and gradients over the ranks: a transformation of ``grad_fn``.

    For a loss that is a mean over rows the result is that of the whole batch, in every rank.

    Args:
        grad_fn: ``(*share of the batch) -> ((loss, aux), grads)``; ``aux`` stays that of the share.
        parameters: those that are differentiated by.
    """
    size = world().size
    if size == 1:
        return grad_fn
    add = ops.AllReduce()
    average = nn.DistributedGradReducer(parameters, mean=True, degree=size)

    def averaged(*batch):
        (loss, aux), grads = grad_fn(*batch)
        return (add(loss) / size, aux), average(grads)

    return averaged


def gather(array: np.ndarray) -> np.ndarray:
    """Join the arrays of all ranks, of one shape, along their first axis, to the bit."""
    if world().size == 1:
        return array
    rows = ops.AllGather()(pack(array.tobytes())).asnumpy().reshape(world().size, -1)
    parts = [np.frombuffer(row.tobytes()[: array.nbytes], array.dtype) for row in rows]
    return np.concatenate([part.reshape(array.shape) for part in parts])


def highest(number: int) -> int:
    """Return the highest of the numbers that the ranks give; all wait for one another."""
    return int(gather(np.array([number], np.int32)).max())


def from_rank_0(function: Callable[[], Value]) -> Value:
    """Call ``function`` in rank 0 alone, and return in every rank what it returns.

    Raises:
        InputError, RunError: what it raises, in every rank.
    """
    if world().size == 1:
        return function()
    outcome: Value | InputError | RunError | None = None
    if world().rank == 0:
        try:
            outcome = function()
        except (InputError, RunError) as error:
            outcome = error
    outcome = share(outcome)
    if isinstance(outcome, InputError | RunError):
        raise outcome
    return cast(Value, outcome)


def share(value: Value) -> Value:
    """Return rank 0's value in every rank."""
    if world().size == 1:
        return value
    content = pack(pickle.dumps(value))
    broadcast = ops.Broadcast(0)
    (size,) = broadcast((Tensor([content.size], content.dtype),))
    if world().rank:
        content = Tensor(np.zeros(int(size), np.int32))
    (content,) = broadcast((content,))
    return pickle.loads(content.asnumpy().tobytes())


def share_parameters(parameters: Iterable[Parameter]) -> None:
    """Give every rank the numbers that rank 0 has."""
    if world().size > 1:
        for parameter in parameters:
            ops.assign(parameter, Tensor(share(parameter.asnumpy())))


def pack(content: bytes) -> Tensor:
    """Make int32 numbers of bytes, with zeros at the end: what every device sends."""
    return Tensor(np.frombuffer(content + bytes(-len(content) % 4), np.int32))
