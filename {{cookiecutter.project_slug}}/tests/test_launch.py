"""Many steps in one launch, means over them, and evaluation in pieces."""

import numpy as np
import pytest
from mindspore import Parameter, Tensor, ops

from {{ cookiecutter.package_name }}.engine import launch
from {{ cookiecutter.package_name }}.engine.launch import Chunk


@pytest.mark.parametrize("steps_per_call", [1, 2, 3, 5])
def test_chunks_have_one_shape_and_lose_nothing(steps_per_call: int):
    """By hand: three batches of two rows, in their order, in pieces that are filled up."""
    order = np.arange(6).reshape(3, 2)
    found = list(launch.in_chunks(order, steps_per_call))
    assert {chunk.shape for _, chunk in found} == {(steps_per_call, 2)}
    assert np.concatenate([chunk[:steps] for steps, chunk in found]).tolist() == order.tolist()


def create_step(weight: Parameter, losses: int):
    """Make a step that adds its row to the weight, and whose losses are the sum and its double."""

    def train_step(row):
        total = weight + row[0]
        loss = ops.depend(total * 1, ops.assign(weight, total))
        return loss if losses == 1 else ops.stack((loss, 2 * loss))

    return train_step


@pytest.mark.parametrize("execution", ["graph", "pynative"])
@pytest.mark.parametrize("losses", [1, 2])
def test_steps_are_taken_one_after_the_other(execution: str, losses: int):
    """By hand: a weight that takes on each row in turn; the filling is not learned from."""
    for steps_per_call in (1, 2, 3):
        weight = Parameter(Tensor(0.0), name="weight")
        step = create_step(weight, losses)
        take = launch.create_launch(step, losses, steps_per_call, execution)
        rows = np.array([[1], [2], [4]], np.float32)
        chunks = launch.in_chunks(np.arange(3)[:, None], steps_per_call)
        launches = [take(Chunk(steps, [rows[chunk[:, 0]]])) for steps, chunk in chunks]
        found = np.concatenate([loss.asnumpy()[:steps] for steps, loss in launches])
        expected = np.array([1, 3, 7], np.float32)
        assert np.array_equal(found, expected if losses == 1 else np.outer(expected, [1, 2]))
        assert weight.asnumpy() == 7


@pytest.mark.parametrize("sizes", [[5], [1, 1, 1, 1, 1], [1, 3, 5], [2, 9, 9]])
def test_pieces_are_the_chunks(sizes: list[int]):
    """By hand: five batches in chunks of three, however they are cut."""
    order = np.arange(5)[:, None]
    chunks = (Chunk(steps, [chunk]) for steps, chunk in launch.in_chunks(order, 3))
    pieces = launch.Pieces(chunks)
    found: list[int] = []
    for size in [*sizes, 9, 9]:
        if len(found) < 5:
            (last, arrays), first = pieces.take(size)
            assert 0 < last - first <= size
            found += arrays[0][first:last, 0].tolist()
    assert found == list(range(5))


@pytest.mark.parametrize("execution", ["graph", "pynative"])
def test_launch_of_a_part_takes_its_steps_only(execution: str):
    """By hand: of the rows 1, 2, 4 the last two, by a weight that takes on each in turn."""
    weight = Parameter(Tensor(0.0), name="weight")
    take = launch.create_launch(create_step(weight, 1), 1, 3, execution)
    rows = np.array([[1], [2], [4]], np.float32)
    steps, losses = take(Chunk(3, [rows]), 1)
    assert losses.asnumpy()[1:steps].tolist() == [2, 6]
    assert weight.asnumpy() == 6


def test_means_are_over_the_steps():
    """By hand: (1 + 2 + 6) / 3."""
    one = np.array([[1.0], [2.0], [6.0]], np.float32)
    assert launch.mean_losses(("loss",), one) == {"loss": 3.0}
    two = np.array([[1.0, 0.0], [2.0, 3.0], [6.0, 0.0]], np.float32)
    assert launch.mean_losses(("loss", "other"), two) == {"loss": 3.0, "other": 1.0}


@pytest.mark.parametrize("batch", [1, 4, 10, 256])
def test_evaluation_does_not_depend_on_the_batch(batch: int):
    """By hand: the rows 0 .. 9 and their squares, in calls of one shape."""
    shapes = []

    def step(x: Tensor) -> tuple[Tensor, Tensor]:
        shapes.append(x.shape)
        return x, x * x

    rows = np.arange(10, dtype=np.float32)
    first, second = launch.evaluate_rows(step, lambda i: [rows[i % 10]], 10, batch)
    assert np.array_equal(first, rows)
    assert np.array_equal(second, rows**2)
    assert shapes == [(batch,)] * -(-10 // batch)


def test_a_launch_compiles_once():
    """Oracle: MindSpore's own list of compiled graphs, for a full and a filled launch."""
    from mindspore.graph.api import ms_compile_cache

    def train_step(row):
        return ops.sum(row)

    before = len(ms_compile_cache)
    take = launch.create_launch(train_step, 1, 2, "graph")
    for steps in (2, 1, 2):
        take(Chunk(steps, [np.ones((2, 3), np.float32)]))[1].asnumpy()
    assert len(ms_compile_cache) == before + 1
