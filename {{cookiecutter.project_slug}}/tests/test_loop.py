"""The loop over the epochs, with a task that is known to the last number."""

import json
from dataclasses import replace
from pathlib import Path

import mindspore as ms
import pytest
from mindspore import nn, ops

from {{ cookiecutter.package_name }} import train as training
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import checkpoint
from {{ cookiecutter.package_name }}.engine.errors import InputError, RunError
from {{ cookiecutter.package_name }}.engine.task import Task


@pytest.fixture
def four(short: Config) -> Config:
    """Settings of a run of four epochs in a fresh folder."""
    return replace(short, epochs=4)


def train(task: Task, config: Config, monkeypatch) -> training.Result:
    """Train the task in place of the project's own."""
    monkeypatch.setattr(training, "create_task", lambda config: task)
    return training.train(config, quiet=True)


def values(folder: Path, split: str, name: str) -> list[float]:
    """What a run logged of a split under one name."""
    records = map(json.loads, (folder / "metrics.jsonl").read_text().splitlines())
    return [record[name] for record in records if record["split"] == split]


def test_best_weights_are_kept_and_tested(four: Config, counting, monkeypatch):
    """By hand: scores 1, 5, 5, 3 after 2, 4, 6, 8 steps: the later of the equals, after 6."""
    result = train(counting([1.0, 5.0, 5.0, 3.0]), four, monkeypatch)
    assert result.metrics == {"weight": 6.0}
    assert float(result.network.weight.asnumpy()[0, 0]) == 6
    other = nn.Dense(1, 1)
    checkpoint.load(other, result.folder / "checkpoints" / "last.ckpt")
    assert other.weight.asnumpy() == 8


def test_nothing_is_learned_before_the_first_step(four: Config, counting, monkeypatch):
    """By hand: losses 1, 2, then 3, 4 and so on: trying out and judging change no weight."""
    folder = train(counting([0.0] * 4), four, monkeypatch).folder
    assert values(folder, "train", "loss") == [1.5, 3.5, 5.5, 7.5]


def steps_of(folder: Path, split: str) -> list[float]:
    """Where a run logged a split."""
    return values(folder, split, "step")


def test_validation_every_third_update_and_the_last(four: Config, counting, monkeypatch):
    """By hand: of eight updates in four epochs the 3rd, the 6th and the 8th are judged."""
    config = replace(four, validate_every=3)
    folder = train(counting([3.0, 1.0, 2.0]), config, monkeypatch).folder
    assert steps_of(folder, "validation") == [3, 6, 8]
    assert steps_of(folder, "train") == [2, 4, 6, 8]


def test_run_ends_after_max_steps(four: Config, counting, monkeypatch):
    """By hand: the fifth of eight updates is judged and tested, in the middle of an epoch."""
    result = train(counting([1.0, 2.0, 3.0]), replace(four, max_steps=5), monkeypatch)
    assert result.metrics == {"weight": 5.0}
    for split, expected in ("train", [2, 4, 5]), ("validation", [2, 4, 5]), ("test", [5]):
        assert steps_of(result.folder, split) == expected
    assert values(result.folder, "train", "loss") == [1.5, 3.5, 5.0]


def test_run_ends_when_patience_does(four: Config, counting, monkeypatch):
    """By hand: after a score of 5 neither 4 nor another 5 is better; the later 5 is kept."""
    config = replace(four, epochs=9, patience=2)
    result = train(counting([1.0, 5.0, 4.0, 5.0]), config, monkeypatch)
    assert result.metrics == {"weight": 8.0}
    assert steps_of(result.folder, "test") == [8]


def test_lines_of_updates(four: Config, counting, monkeypatch):
    """By hand: losses 1 to 8 in lines of three updates, wherever epochs end; 7 and 8 make none."""
    folder = train(counting([0.0] * 4), replace(four, log_every=3), monkeypatch).folder
    records = map(json.loads, (folder / "metrics.jsonl").read_text().splitlines())
    lines = [record for record in records if "seconds" in record]
    assert [(line["step"], line["epoch"], line["loss"]) for line in lines] == [
        (3, 2, 2.0),
        (6, 3, 5.0),
    ]
    assert {line["split"] for line in lines} == {"train"}
    assert all(line["rows_per_second"] > 0 for line in lines)


def test_rest_is_expected_once(four: Config, counting, monkeypatch, capsys):
    """After the second epoch, since the first, of one launch, has the compilation in it."""
    monkeypatch.setattr(training, "create_task", lambda config: counting([0.0] * 4))
    training.train(four)
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("about")]
    assert said == ["about 1 s for the 4 updates that are left"]


def test_score_that_is_not_a_number_ends_the_run(four: Config, counting, monkeypatch):
    """The weights of the epoch before stay the best."""
    with pytest.raises(RunError, match="no longer finite in epoch 2"):
        train(counting([1.0, float("nan")]), four, monkeypatch)
    best = nn.Dense(1, 1)
    checkpoint.load(best, Path(str(four.run_dir)) / "checkpoints" / "best.ckpt")
    assert best.weight.asnumpy() == 2


def test_layer_that_does_not_fit_is_named(four: Config, counting, monkeypatch):
    """A network of three inputs for rows of five: its layer, both shapes, and no run folder."""
    network = nn.SequentialCell(nn.Dense(5, 4), nn.Dense(3, 2))
    task = counting([], network=network, probe=lambda: network(ops.ones((2, 5), ms.float32)))
    with pytest.raises(InputError, match=r"layer '1' \(Dense\).*: .* 4 .* 3") as caught:
        train(task, four, monkeypatch)
    assert "\n" not in str(caught.value)
    assert not Path(str(four.run_dir)).exists()


def test_loss_that_is_no_number_is_said(four: Config, counting, monkeypatch):
    """A loss for each of the two rows: its shape, and no run folder."""
    task = counting([], probe=lambda: ops.ones((2, 1), ms.float32))
    with pytest.raises(InputError, match=r"loss of two rows has shape \(2, 1\)"):
        train(task, four, monkeypatch)
    assert not Path(str(four.run_dir)).exists()
