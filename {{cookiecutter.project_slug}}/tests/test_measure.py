"""What is measured of an update, and the lines that come of it."""

import json
from dataclasses import replace
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from causes import needs_equal_passes
from mindspore import Tensor, nn, ops
from weights import parameters

from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import checkpoint, measure
from {{ cookiecutter.package_name }}.task import create_task
from {{ cookiecutter.package_name }}.train import train

GRADS = [3.0, 4.0], [0.0, 12.0]
"""of which the norm is 13"""


class Falling(nn.learning_rate_schedule.LearningRateSchedule):
    """Update i has the rate 1 / (i + 1)."""

    def construct(self, global_step):
        return 1 / ops.cast(global_step + 1, ms.float32)


class Counting(nn.Optimizer):
    """Counts the updates, and makes none."""

    def construct(self, gradients):
        self.assignadd(self.global_step, 1)
        return True


def found(run, policy, log_every: int = 10, updates: int = 1) -> np.ndarray:
    """Measure updates of GRADS, each of loss 2, under a policy or without one."""
    optimizer = Counting(Falling(), parameters([0.0, 0.0], [0.0, 0.0]))
    grads = tuple(Tensor(g, ms.float32) for g in GRADS)

    def grad_fn(row):
        return (row.sum(), row), grads

    def update(loss, grads):
        return ops.depend(loss, optimizer(grads))

    if policy:
        grad_fn = policy(measure.remember(grad_fn, log_every))
    update = measure.measured(update, optimizer, log_every)

    def step(row):
        (loss, _), grads = grad_fn(row)
        return update(loss, grads)

    step = run(step)
    return np.stack([step(Tensor([2.0], ms.float32)).asnumpy() for _ in range(updates)])


def halve(grad_fn):
    """A policy that halves the gradient."""

    def halved(*batch):
        value, grads = grad_fn(*batch)
        return value, tuple([g / 2 for g in grads])

    return halved


def test_norm_of_a_known_gradient(run):
    """By hand: 3, 4 and 12 have the norm 13; the rate is that of the update itself."""
    assert found(run, None, updates=2).tolist() == [[2, 1, 1, 13], [2, 0.5, 1, 13]]
    assert len(measure.measures(10, policy=False)) == 3


def test_norm_before_and_after_a_policy(run):
    """By hand: 13 and 6.5."""
    assert found(run, halve).tolist() == [[2, 1, 1, 13, 6.5]]
    assert len(measure.measures(10, policy=True)) == 4


@pytest.mark.parametrize(("log_every", "every"), [(50, 10), (3, 3)])
def test_large_network_is_measured_now_and_then(log_every: int, every: int, run, monkeypatch):
    """Update 0, 10 and so on, and in each line at least one; the others have zeros."""
    monkeypatch.setattr(measure, "SMALL", 3)
    rows = found(run, halve, log_every, updates=12)
    expected = [[1, 13, 6.5] if i % every == 0 else [0, 0, 0] for i in range(12)]
    assert rows[:, 2:].tolist() == expected


def test_nothing_is_measured_when_it_is_off():
    """The same functions, so the same graph."""
    assert measure.measured(halve, None, 0) is halve
    assert measure.remember(halve, 0) is halve
    assert measure.measures(0, policy=True) == ()


def test_means_of_updates():
    """By hand: norms over those that were taken, of which the policy changed one in two."""
    rows = [[1, 0.5, 1, 13, 6.5], [2, 0.4, 0, 0, 0], [6, 0.3, 1, 3, 3]]
    names = measure.measures(50, policy=True)
    array = np.array(rows, np.float32)[:, None]
    norms = {"gradient_norm": 8, "policy_norm": 4.75, "policy_share": 0.5}
    expected = {"loss": 3, "learning_rate": 0.3, **norms}
    assert measure.means(("loss",), names, array, skip=False) == expected
    array[2] = np.nan
    skipped = measure.means(("loss",), names, array, skip=True)
    assert (skipped["loss"], skipped["gradient_norm"], skipped["policy_share"]) == (1.5, 13, 1)


def test_means_of_two_networks():
    """By hand: what goes with the generator's loss has its name before it."""
    array = np.array([[[1, 0.5, 1, 13], [2, 0.25, 1, 5]]], np.float32)
    names = measure.measures(50, policy=False)
    named = measure.means(("loss", "generator_loss"), names, array, skip=False)
    generator = {"gradient_norm": 5, "learning_rate": 0.25}
    assert named == {"loss": 1, "gradient_norm": 13, "learning_rate": 0.5, "generator_loss": 2} | {
        f"generator_{name}": value for name, value in generator.items()
    }


def test_a_run_is_the_same_with_its_lines(short: Config, tmp_path: Path):
    """Weights to the bit; a line every second update, with a norm and a speed."""
    needs_equal_passes(short)
    weights = []
    for log_every in (0, 2):
        run = tmp_path / str(log_every)
        config = replace(short, log_every=log_every, run_dir=str(run))
        network = train(config, quiet=True).network
        checkpoint.load(network, run / "checkpoints" / "last.ckpt")
        weights.append([weight.asnumpy().copy() for weight in network.get_parameters()])
    assert all(np.array_equal(a, b) for a, b in zip(*weights))
    records = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    lines = [record for record in records if "seconds" in record]
    updates = config.epochs * create_task(config).steps_per_epoch
    assert [line["step"] for line in lines] == list(range(2, updates + 1, 2))
    assert all(line["gradient_norm"] > 0 and line["rows_per_second"] > 0 for line in lines)
    whole = [record["loss"] for record in records if record["split"] == "train"]
    assert np.isfinite(whole).all()
