"""What MLflow's own client reads of a run is what the run logged."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mlflow import MlflowClient
from mlflow.entities import Run as Shown

from package.config import Config
from package.engine.run import Run
from package.engine.settings import names
from package.engine.tracking import points
from package.tracker import create_tracker
from package.train import train


class Killed(Exception):
    """Stands in for a process that ends."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make the folder of a run."""
    path = tmp_path / "run"
    path.mkdir()
    return path


def read(folder: Path) -> tuple[MlflowClient, Shown]:
    """Return a client and the only run that it finds beside a run's folder."""
    client = MlflowClient((folder.parent / "mlruns").as_uri())
    (experiment,) = client.search_experiments(filter_string="name != 'Default'")
    (run,) = client.search_runs([experiment.experiment_id])
    return client, run


def shown(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """Step and value of every point that MLflow has, by name."""
    client, run = read(folder)
    histories = {
        name: client.get_metric_history(run.info.run_id, name) for name in run.data.metrics
    }
    return {
        name: [(point.step, point.value) for point in history]
        for name, history in histories.items()
    }


def logged(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """Step and value of every point in metrics.jsonl, by name."""
    found: dict[str, list[tuple[int, float]]] = {}
    for record in map(json.loads, (folder / "metrics.jsonl").read_text("utf-8").splitlines()):
        for name, value in points(record).items():
            found.setdefault(name, []).append((record["step"], value))
    return found


def test_resumed_run_is_shown_as_it_is_logged(short: Config, monkeypatch):
    """Killed when all was logged, and gone on from the end of its first epoch: nothing twice."""

    def killed(self: Run, metrics: dict[str, float]) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Run, "pause", lambda self, _: self.epoch == 1 and self.save())
        patch.setattr(Run, "end", killed)
        with pytest.raises(Killed):
            train(short, quiet=True)
    folder = Path(str(short.run_dir))
    assert shown(folder) == logged(folder)
    assert read(folder)[1].info.status == "KILLED"
    train(replace(short, resume="newest"), quiet=True)
    assert shown(folder) == logged(folder)
    assert read(folder)[1].info.status == "FINISHED"


def test_record_is_there_before_the_run_is_closed(short: Config, folder: Path):
    """As a process leaves it that is killed; NaN and null are points, too."""
    tracker = create_tracker(short, folder, [])
    for step, loss in enumerate([0.5, float("nan"), None]):
        tracker.log({"step": step, "epoch": 1, "split": "train", "loss": loss})
    np.testing.assert_equal(shown(folder), {"loss/train": [(0, 0.5), (1, np.nan), (2, np.nan)]})
    assert read(folder)[1].info.status == "RUNNING"


def test_two_points_of_one_step_are_two(short: Config, folder: Path):
    """Before and after the run is resumed: as many as there are lines."""
    records = [
        {"step": 1, "epoch": 1, "split": "train", "loss": 1.0},
        {"step": 1, "epoch": 1, "split": "train", "loss": 2.0},
    ]
    first = create_tracker(short, folder, [])
    for record in records:
        first.log(record)
    create_tracker(replace(short, resume="newest"), folder, records[:1]).log(records[1])
    assert shown(folder) == {"loss/train": [(1, 1.0), (1, 2.0)]}


def test_what_was_missed_is_made_up_for(short: Config, folder: Path):
    """A resumed run gives every line it has kept that MLflow has not."""
    records = [
        {"step": step, "epoch": step, "split": "train", "loss": float(step)} for step in (1, 2, 3)
    ]
    create_tracker(short, folder, []).log(records[1])
    create_tracker(replace(short, resume="newest"), folder, records)
    assert sorted(shown(folder)["loss/train"]) == [(1, 1.0), (2, 2.0), (3, 3.0)]


def test_settings_are_shown(short: Config, folder: Path):
    """Every one, as a parameter, under the run's name."""
    create_tracker(short, folder, []).close(True)
    _, run = read(folder)
    assert run.data.params == {name: str(value) for name, value in names(short).items()}
    assert run.info.run_name == folder.name


def test_without_the_library_a_run_goes_on(short: Config, monkeypatch, capsys):
    """One line says it."""
    monkeypatch.setitem(sys.modules, "mlflow", None)
    result = train(replace(short, epochs=1), quiet=True)
    notes = [line for line in capsys.readouterr().err.splitlines() if "tracker" in line]
    assert len(notes) == 1 and "mlflow" in notes[0]
    assert result.metrics and not (result.folder.parent / "mlruns").exists()
