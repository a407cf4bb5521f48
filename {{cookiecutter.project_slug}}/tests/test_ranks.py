"""What several processes share, with the collectives of MindSpore replaced by what they must do."""

import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, ops

from {{ cookiecutter.package_name }}.engine import launch, ranks, runtime
from {{ cookiecutter.package_name }}.engine.errors import InputError, RunError
from {{ cookiecutter.package_name }}.engine.ranks import World

REASONS = {
    "The total number of timed out node is 1. Timed out node list is: [const vector]{1}, worker 1 "
    "is the first one timed out, please check its log.": "rank 1 does not answer any more",
    "Failed to initialize distributed job cluster because some\nprocesses": "the 2 ranks did not "
    "all come to 10.0.0.1:8118 within 45 seconds: start every machine, with the same address",
    "no such\ndevice": "no such device",
}


def grad_fn(data: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """A loss and two gradients that are means over rows, and something for each row."""
    mean = ops.mean(data)
    return (mean, data), (mean + 1, 2 * mean)


@pytest.fixture
def second_of_two(monkeypatch) -> Callable[[np.ndarray], None]:
    """Be the second of two ranks; say what the first one gives."""
    for module in (ranks, launch, runtime):
        monkeypatch.setattr(module, "world", lambda: World(1, 2))
    first: list[np.ndarray] = []

    def all_gather():
        return lambda x: Tensor(np.concatenate([first[-1], x.asnumpy()]))

    def say(array: np.ndarray) -> None:
        first.append(ranks.pack(array.tobytes()).asnumpy())

    monkeypatch.setattr(ranks.ops, "AllGather", all_gather)
    return say


def test_one_process_is_left_as_it_is():
    """Oracle: what went in, itself."""
    array = np.zeros(2)
    assert ranks.world() == World(0, 1)
    assert ranks.average_over_ranks(grad_fn, []) is grad_fn
    assert ranks.gather(array) is array
    assert ranks.share(array) is array
    assert ranks.from_rank_0(lambda: array) is array
    assert ranks.highest(15) == 15


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_every_row_of_a_batch_is_one_ranks(size: int):
    """By hand: six rows, in their order, cut into equal parts."""
    rows = np.arange(6)
    parts = [rows[World(rank, size).mine(6)] for rank in range(size)]
    assert {len(part) for part in parts} == {6 // size}
    assert np.concatenate(parts).tolist() == rows.tolist()


@pytest.mark.parametrize(
    ("batch_size", "steps", "fitting"), [(30, 2, "28 or 32"), (33, 1, "32 or 34"), (3, 2, "4")]
)
def test_batch_that_is_not_shared_equally_is_refused(
    batch_size: int, steps: int, fitting: str, second_of_two
):
    """The line names sizes that two ranks can share, and these are taken."""
    with pytest.raises(InputError, match=f"x 2 ranks = {2 * steps}: .* as with {fitting}$"):
        runtime.check_micro_batches(batch_size, steps)
    for size in fitting.split(" or "):
        runtime.check_micro_batches(int(size), steps)


def test_loss_and_gradients_are_averaged(run, second_of_two, monkeypatch):
    """By hand: the other rank's rows are 1 and 3, this one's 5 and 7: the mean of all is 4."""
    averages = []

    def all_reduce():
        def add(x):
            return x + 2

        return add

    def reducer(parameters, mean, degree):
        averages.append((parameters, mean, degree))

        def average(grads):
            return (grads[0] + 3) / 2, (grads[1] + 4) / 2

        return average

    monkeypatch.setattr(ranks.ops, "AllReduce", all_reduce)
    monkeypatch.setattr(ranks.nn, "DistributedGradReducer", reducer)
    averaged = run(ranks.average_over_ranks(grad_fn, ["weight"]))
    (loss, aux), grads = averaged(Tensor([5.0, 7.0]))
    assert (loss, *grads) == (4.0, 5.0, 8.0)
    assert aux.asnumpy().tolist() == [5, 7]
    assert averages == [(["weight"], True, 2)]


@pytest.mark.parametrize(
    "array",
    [
        np.array([[-0.0, math.nan], [math.inf, 1e-45]], np.float32),
        np.array([2**62 + 1]),
        np.array([True, False, True]),
        np.zeros((0, 3), np.float16),
        np.array(["a", "bc"]),
    ],
    ids=lambda array: str(array.dtype),
)
def test_arrays_are_gathered_to_the_bit(array: np.ndarray, second_of_two):
    """Oracle: the bytes of both, whatever their type, one after the other."""
    second_of_two(array[::-1])
    found = ranks.gather(array)
    assert found.dtype == array.dtype
    assert found.tobytes() == array[::-1].tobytes() + array.tobytes()


def test_highest_of_all_ranks(second_of_two):
    """By hand: the signal that only the other rank has, and that which only this one has."""
    for first, own in ((15, 0), (0, 2), (0, 0)):
        second_of_two(np.array([first], np.int32))
        assert ranks.highest(own) == max(first, own)


def test_what_rank_0_gives_or_raises_comes_to_all(second_of_two, monkeypatch):
    """Oracle: what rank 0 broadcasts, a value and an error; the function is not called here."""
    sent = []
    monkeypatch.setattr(
        ranks.ops, "Broadcast", lambda root: lambda x: (sent.pop(0) if root == 0 else x[0],)
    )

    def broadcast(value: object) -> None:
        content = ranks.pack(ranks.pickle.dumps(value))
        sent[:] = [Tensor([content.size], ms.int32), content]

    parameter = Parameter(Tensor(0, ms.int32), name="global_step")
    broadcast(np.array(7, np.int32))
    ranks.share_parameters([parameter])
    assert parameter.asnumpy() == 7
    broadcast("runs/1")
    assert ranks.from_rank_0(lambda: pytest.fail("called")) == "runs/1"
    broadcast(RunError("no space"))
    with pytest.raises(RunError, match="no space"):
        ranks.from_rank_0(lambda: pytest.fail("called"))


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 24])
@pytest.mark.parametrize("size", [2, 3])
def test_ranks_evaluate_batches_in_turn(rows: int, size: int, monkeypatch):
    """By hand: squares, of ranks that are threads; the batches are those of one process."""
    numbers, here, barrier = np.arange(rows), threading.local(), threading.Barrier(size)
    given, batches = [np.zeros(0)] * size, []

    def gather(own: np.ndarray) -> np.ndarray:
        given[here.rank] = own
        barrier.wait(60)
        joined = np.concatenate(given)
        barrier.wait(60)
        return joined

    def step(x: Tensor) -> tuple[Tensor]:
        batches.append(tuple(x.asnumpy().tolist()))
        return (Tensor(x.asnumpy() ** 2),)

    def evaluate(rank: int) -> np.ndarray:
        here.rank = rank
        return launch.evaluate_rows(step, lambda i: [numbers[i % rows]], rows, 4)[0]

    monkeypatch.setattr(launch, "gather", gather)
    monkeypatch.setattr(launch, "world", lambda: World(here.rank, size))
    with ThreadPoolExecutor(size) as pool:
        results = list(pool.map(evaluate, range(size)))
    assert np.array_equal(results, [numbers**2] * size)
    whole = [tuple(numbers[np.arange(i, i + 4) % rows].tolist()) for i in range(0, rows, 4)]
    assert set(batches) == set(whole)
    assert len(batches) == -(-len(whole) // size) * size


@pytest.mark.parametrize("reason", REASONS)
def test_why_ranks_did_not_meet_is_a_line(reason: str, monkeypatch):
    """MindSpore 2.10's own reasons, and another."""
    for name, value in {"WORKER_NUM": 2, "TOPO_TIMEOUT": 45, "SCHED_HOST": "10.0.0.1"}.items():
        monkeypatch.setenv(f"MS_{name}", str(value))
    monkeypatch.setenv("MS_SCHED_PORT", "8118")
    assert ranks.explain(reason) == REASONS[reason]
