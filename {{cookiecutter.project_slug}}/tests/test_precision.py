"""A network that computes in float16, and the scale of its loss."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
from causes import needs_equal_passes
from mindspore import Tensor, nn, ops

from {{ cookiecutter.package_name }} import task as tasks
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import precision
from {{ cookiecutter.package_name }}.engine.errors import InputError
from {{ cookiecutter.package_name }}.engine.run import Run
from {{ cookiecutter.package_name }}.train import train


def create(scaler: Any, run: Callable, kind: str = "float32") -> tuple[Callable, nn.Optimizer]:
    """Make the step of a small network, and its optimizer."""
    ms.set_seed(0)
    network = precision.lower(nn.SequentialCell(nn.Dense(4, 3), nn.ReLU(), nn.Dense(3, 1)), kind)
    optimizer = nn.Adam(network.trainable_params(), 1e-2)

    def forward_fn(data):
        return ops.square(network(data).astype(ms.float32)).mean(), data

    scaled_fn = scaler.scaled(forward_fn)
    grad_fn = ms.value_and_grad(scaled_fn, None, optimizer.parameters, has_aux=True)
    grad_fn = scaler.unscaled(grad_fn)
    update = scaler.update(optimizer)

    def train_step(data):
        (loss, _), grads = grad_fn(data)
        return update(loss, grads)

    return run(train_step), optimizer


def state_of(cell: nn.Cell) -> dict[str, np.ndarray]:
    """Copy weights, moments and counters."""
    return {p.name: p.asnumpy().copy() for p in cell.get_parameters()}


@pytest.fixture
def batches() -> np.ndarray:
    """Ten batches of eight rows."""
    return np.random.default_rng(0).standard_normal((10, 8, 4), np.float32)


@pytest.mark.parametrize("scale", [1.0, 1024.0])
def test_scale_cancels_to_the_bit(scale: float, run: Callable, batches: np.ndarray):
    """Oracle: the same float32 steps without a scale."""
    found = []
    for scaler in (precision.Scaler(), precision.DynamicScaler(scale)):
        step, optimizer = create(scaler, run)
        losses = [step(Tensor(batch)).asnumpy() for batch in batches]
        found.append({"losses": np.array(losses), **state_of(optimizer)})
    assert all(np.array_equal(x, found[1][name]) for name, x in found[0].items())


def test_scale_follows_the_overflows(run: Callable):
    """By hand: halved by what is not finite, doubled after two in a row, from 1 to 2^24."""

    def optimizer(grads):
        return grads[0]

    scaler = precision.DynamicScaler(4.0, window=2)
    update = run(scaler.update(optimizer))
    scales = []
    for loss in (1, np.inf, 1, 1, 1, np.nan, 1, np.nan, np.nan, 1, 1):
        update(Tensor(loss, ms.float32), (Tensor([0.0]),))
        scales.append(scaler.observe()["loss_scale"])
    assert scales == [4, 2, 2, 4, 4, 2, 2, 1, 1, 1, 2]
    scaler = precision.DynamicScaler(2.0**24, window=1)
    run(scaler.update(optimizer))(Tensor(1.0), (Tensor([0.0]),))
    assert scaler.observe() == {"loss_scale": 2.0**24}


def test_overflow_in_float16_leaves_all_as_it_is(run: Callable, batches: np.ndarray):
    """Gradients that do not fit: weights, moments and counters keep their bits; then it trains."""
    scaler = precision.DynamicScaler(2.0**24)
    step, optimizer = create(scaler, run, "float16")
    before = state_of(optimizer)
    assert np.isnan(step(Tensor(batches[0])).asnumpy())
    assert all(np.array_equal(x, before[name]) for name, x in state_of(optimizer).items())
    assert scaler.observe() == {"loss_scale": 2.0**23}
    taken = [np.isfinite(step(Tensor(batches[0])).asnumpy()) for _ in range(20)]
    assert taken == sorted(taken) and any(taken)  # nothing is taken before the scale fits
    assert optimizer.global_step.asnumpy() == sum(taken)


def test_weights_gradients_and_norms_are_float32(run: Callable):
    """The layers between compute in float16."""
    network = precision.lower(nn.SequentialCell(nn.Dense(4, 4), nn.LayerNorm((4,))), "float16")

    def types(data):
        hidden = network[0](data)
        return hidden, network[1](hidden)

    def loss_fn(data):
        return network(data).sum()

    hidden, output = run(types)(ops.ones((2, 4)))
    assert (hidden.dtype, output.dtype) == (ms.float16, ms.float32)
    weights = network.trainable_params()
    grads = run(ms.grad(loss_fn, None, weights))(ops.ones((2, 4)))
    assert {x.dtype for x in (*weights, *grads)} == {ms.float32}


def test_what_the_device_cannot_do_is_refused(short: Config, monkeypatch):
    """bfloat16 on a CPU, before anything is written; float16 where an overflow does not show."""
    with pytest.raises(InputError, match="bfloat16 does not run on a CPU"):
        train(replace(short, precision="bfloat16"), quiet=True)
    assert not Path(str(short.run_dir)).exists()
    network = nn.Dense(1, 1)
    assert precision.overflows()
    monkeypatch.setattr(precision.ops, "isinf", lambda x: Tensor(False))
    with pytest.raises(InputError, match="saturation mode"):
        precision.lower(network, "float16")
    monkeypatch.setattr(precision.ms, "get_context", {"device_target": "Ascend"}.get)
    assert precision.lower(network, "bfloat16") is network


class Killed(Exception):
    """Stands in for a process that ends."""


def test_resumed_run_has_the_scale_to_the_bit(short: Config, tmp_path: Path, monkeypatch):
    """From a scale of 2^24, killed while it falls: all that is left is that of an unbroken run."""
    needs_equal_passes(short)

    def create_scaler(*_: object) -> precision.Scaler:
        return precision.DynamicScaler(2.0**24, window=2)

    monkeypatch.setattr(tasks, "create_scaler", create_scaler)
    short = replace(short, precision="float16", max_bad_steps=100)
    unbroken = train(replace(short, run_dir=str(tmp_path / "unbroken")), quiet=True).folder
    counter, whole = count(1), Run.pause

    def pause(self: Run, seconds: float) -> None:
        self.save()
        if next(counter) == 2:
            raise Killed

    monkeypatch.setattr(Run, "pause", pause)
    with pytest.raises(Killed):
        train(short, quiet=True)
    monkeypatch.setattr(Run, "pause", whole)
    folder = train(replace(short, resume="newest"), quiet=True).folder
    lines = (folder / "metrics.jsonl").read_text()
    assert lines == (unbroken / "metrics.jsonl").read_text()
    states = [ms.load_checkpoint(str(f / "checkpoints" / "state.ckpt")) for f in (folder, unbroken)]
    assert "loss_scale_good" in states[0]
    for name, x in states[0].items():
        assert name == "host" or x.asnumpy().tobytes() == states[1][name].asnumpy().tobytes(), name
    trained = [record for record in map(json.loads, lines.splitlines()) if "loss_scale" in record]
    assert sum(record["skipped_updates"] for record in trained) > 0
    assert trained[-1]["loss_scale"] < 2.0**24
