"""A tracker is told what the run logs; whatever fails in it does not stop the run."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from {{ cookiecutter.package_name }} import train as training
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine.run import Run
from {{ cookiecutter.package_name }}.engine.tracking import Record, points


class Notes:
    """A tracker that remembers what it is told, and fails in the method that is named."""

    def __init__(self, records: list[Record], failing: str = ""):
        self.told, self.failing = list(records), failing
        self.ends: list[bool] = []
        self.fail("create")

    def fail(self, method: str) -> None:
        """Raise an error of two lines."""
        if self.failing == method:
            raise ConnectionError("the server\nis away")

    def log(self, record: Record) -> None:
        """Remember a record."""
        self.told.append(record)
        self.fail("log")

    def close(self, finished: bool) -> None:
        """Remember how the run ended."""
        self.ends.append(finished)
        self.fail("close")


@pytest.fixture
def train(short: Config, counting, monkeypatch):
    """Train four epochs of the task that is known, with changes to the task and the settings."""

    def run(task: dict[str, Any], **changes: Any) -> training.Result:
        made = counting([1.0, 2.0, 3.0, 4.0], **task)
        monkeypatch.setattr(training, "create_task", lambda config: made)
        return training.train(replace(short, epochs=4, **changes), quiet=True)

    return run


def log_of(run_dir: str | None) -> list[Record]:
    """Read metrics.jsonl."""
    text = Path(str(run_dir), "metrics.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_tracker_is_told_what_is_logged(short: Config, train):
    """The records of metrics.jsonl in turn; then that the run is finished."""
    made = []

    def track(config: Config, folder: Path, records: list[Record]) -> Notes:
        assert (str(folder), config.epochs) == (config.run_dir, 4)
        made.append(Notes(records))
        return made[0]

    train({"track": track})
    assert made[0].told == log_of(short.run_dir)
    assert made[0].ends == [True]


def test_tracker_of_a_resumed_run_is_told_what_is_kept(short: Config, train, monkeypatch):
    """Killed after the test; of four epochs the first was saved. A finished run tells nothing."""
    made = []

    def track(config: Config, folder: Path, records: list[Record]) -> Notes:
        made.append(Notes(records))
        return made[-1]

    def killed(self: Run, metrics: dict[str, float]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Run, "pause", lambda self, _: self.epoch == 1 and self.save())
        patch.setattr(Run, "end", killed)
        with pytest.raises(KeyboardInterrupt):
            train({"track": track})
    assert made[0].ends == [False]
    kept = log_of(short.run_dir)[:2]
    assert [record["epoch"] for record in kept] == [1, 1]
    for _ in range(2):
        train({"track": track}, resume="newest")
    _, resumed = made
    assert resumed.told[:2] == kept
    assert resumed.told == log_of(short.run_dir)
    assert resumed.ends == [True]


@pytest.mark.parametrize("method", ["create", "log", "close"])
def test_tracker_that_fails_does_not_stop_the_run(method: str, short: Config, train, capsys):
    """It is said in one line, once, and the run reaches what it reaches without one."""
    result = train({"track": lambda config, folder, records: Notes(records, method)})
    assert result.metrics == {"weight": 8.0}
    assert len(log_of(short.run_dir)) == 9
    reason = "ConnectionError: the server is away"
    line = f"note: the tracker failed, and the run goes on without it: {reason}\n"
    assert capsys.readouterr().err == line


def test_points_are_named_by_metric_and_split():
    """By hand; null, which stands for NaN and infinity in JSON, is NaN."""
    record = {"step": 3, "epoch": 1, "split": "train", "loss": 0.5, "other": None}
    named = points(record)
    assert math.isnan(named.pop("other/train"))
    assert named == {"loss/train": 0.5}
    within = {"step": 3, "epoch": 1, "split": "train", "loss": 0.5, "seconds": 2.0}
    assert points(within) == {"loss/updates": 0.5, "seconds/updates": 2.0}
