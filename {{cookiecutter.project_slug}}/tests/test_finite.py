"""An update that is skipped because a number is not finite."""

import json
from dataclasses import replace
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops

from {{ cookiecutter.package_name }} import train as training
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import launch as launching
from {{ cookiecutter.package_name }}.engine.errors import RunError
from {{ cookiecutter.package_name }}.engine.finite import update_if_finite
from {{ cookiecutter.package_name }}.engine.precision import Scaler
from {{ cookiecutter.package_name }}.engine.runtime import start

BAD = {
    "row of NaN": (2, np.nan),
    "infinite entry": (5, np.inf),
    "overflowing batch": (7, 1e30),
}
"""which batch is spoilt, and with what"""


def run(config: Config, execution: str, skip: bool, batches: np.ndarray) -> tuple:
    """Take a step for each batch; return losses, and weights, moments and counters."""
    start("CPU", execution, config.seed)
    network = nn.SequentialCell(nn.Dense(4, 3), nn.ReLU(), nn.Dense(3, 1))
    optimizer = nn.Adam(network.trainable_params(), 1e-2)

    def forward_fn(data):
        return ops.square(network(data)).mean(), data

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
    update = update_if_finite(optimizer, skip)

    def train_step(data):
        (loss, _), grads = grad_fn(data)
        return update(loss, grads)

    launch = launching.create_launch(train_step, 1, len(batches), execution)
    launched = launch(launching.Chunk(len(batches), [batches]))
    state = {p.name: p.asnumpy().copy() for p in optimizer.get_parameters()}
    return launched[1].asnumpy(), state, launched


@pytest.fixture
def good() -> np.ndarray:
    """Ten batches of eight rows."""
    return np.random.default_rng(0).standard_normal((10, 8, 4), np.float32)


@pytest.mark.parametrize("execution", ["graph", "pynative_jit", "pynative"])
def test_exactly_the_bad_steps_are_skipped(execution: str, config: Config, good: np.ndarray):
    """To the bit as if their batches were not there; the mean loss is that of the others."""
    spoilt = good.copy()
    for step, value in BAD.values():
        spoilt[step, 3] = value
    places = sorted(step for step, _ in BAD.values())
    losses, state, launched = run(config, execution, True, spoilt)
    expected, expected_state, _ = run(config, execution, True, np.delete(good, places, axis=0))
    assert list(np.flatnonzero(np.isnan(losses))) == places
    assert np.array_equal(losses[~np.isnan(losses)], expected)
    assert expected_state["global_step"] == 7
    for name, x in state.items():
        assert np.array_equal(x, expected_state[name]), name
    found = launching.mean_losses(("loss",), losses[:, None], skip=True)
    assert found == {"loss": pytest.approx(expected.mean()), "skipped_updates": 3}


@pytest.mark.parametrize("execution", ["graph", "pynative"])
def test_finite_steps_are_the_same_with_and_without(execution: str, config: Config, good):
    """To the bit; and without it a NaN reaches the weights."""
    losses, state, _ = run(config, execution, True, good)
    expected, expected_state, _ = run(config, execution, False, good)
    assert np.array_equal(losses, expected)
    assert all(np.array_equal(x, expected_state[name]) for name, x in state.items())
    good[4] = np.nan
    assert np.isnan(run(config, execution, False, good)[1]["0.weight"]).all()


def test_a_step_of_two_losses_is_one():
    """By hand: of three steps the first skips both updates, the second one: two steps."""
    losses = ms.Tensor([[np.nan, np.nan], [np.nan, 3], [2, 5]], ms.float32)
    found = launching.mean_losses(("a", "b"), [(3, losses)], skip=True)
    assert found == {"a": 2.0, "b": 4.0, "skipped_updates": 2}


def train(config: Config, bad: list[int], counting, monkeypatch) -> list[dict]:
    """Train a task that counts, four steps an epoch, of which some see NaN; return its records."""
    network = nn.Dense(1, 1, weight_init="zeros", bias_init="zeros")

    def add(grads):
        return ops.assign(network.weight, network.weight + grads[0])

    scaler = Scaler(config.skip_non_finite)
    update = scaler.update(add)

    def train_step(row):
        return update(ops.sum(row + network.weight), (row,))

    def feed(epoch: int, first: int):
        numbers = np.arange(4) + 4 * (epoch - 1)
        rows = np.where(np.isin(numbers, bad), np.nan, 1).astype(np.float32)
        for i in range(first, 4, 2):
            yield launching.Chunk(2, [rows[i : i + 2].reshape(2, 1, 1)])

    task = counting(
        [1.0] * 9,
        network=network,
        scaler=scaler,
        train_step=train_step,
        steps_per_epoch=4,
        feed=feed,
    )
    monkeypatch.setattr(training, "create_task", lambda config: task)
    run = training.train(config, quiet=True).folder
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_skipped_updates_are_counted(short: Config, counting, monkeypatch):
    """By hand: of 1, 2, 3, 4 the second is left out: 1, 2, 3; then 4, 5, 6, 7."""
    config = replace(short, epochs=2, skip_non_finite=True)
    records = train(config, [1], counting, monkeypatch)
    found = [(r["loss"], r["skipped_updates"]) for r in records if r["split"] == "train"]
    assert found == [(2.0, 1), (5.5, 0)]


def test_too_many_in_a_row_end_the_run(short: Config, counting, monkeypatch):
    """Across launches and epochs: of steps 4, 5 and 6 the third ends it; two and one do not."""
    config = replace(short, epochs=3, skip_non_finite=True, max_bad_steps=3)
    with pytest.raises(RunError, match="3 steps in a row, up to update 6, step 2 of epoch 2, had"):
        train(config, [3, 4, 5], counting, monkeypatch)
    config = replace(config, run_dir=str(Path(str(short.run_dir)).with_name("other")))
    train(config, [3, 4, 6], counting, monkeypatch)
