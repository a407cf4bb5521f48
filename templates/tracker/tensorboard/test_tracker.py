"""What TensorBoard reads of a run is what the run logged."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from package.config import Config
from package.engine.run import Run
from package.engine.tracking import points
from package.tracker import create_tracker
from package.train import train


class Killed(Exception):
    """Stands in for a process that ends."""


def read(folder: Path) -> EventAccumulator:
    """Let TensorBoard read every event in a folder."""
    return EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()


def shown(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """Step and value of every point that TensorBoard shows, by name; none of what it forgot."""
    found = read(folder)
    names = found.Tags()["scalars"]
    series = {name: [(x.step, x.value) for x in found.Scalars(name)] for name in names}
    return {name: shown for name, shown in series.items() if shown}


def logged(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """Step and value, in float32, of every point in metrics.jsonl, by name."""
    found: dict[str, list[tuple[int, float]]] = {}
    for record in map(json.loads, (folder / "metrics.jsonl").read_text("utf-8").splitlines()):
        for name, value in points(record).items():
            found.setdefault(name, []).append((record["step"], float(np.float32(value))))
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
    train(replace(short, resume="newest"), quiet=True)
    assert len(list(folder.glob("events.*"))) == 2
    assert shown(folder) == logged(folder)


def test_last_step_is_shown_once(short: Config, tmp_path: Path):
    """By hand: of the records of step 2 one was kept; what came after it is forgotten."""
    records = [
        {"step": 1, "epoch": 1, "split": "train", "loss": 1.0},
        {"step": 2, "epoch": 2, "split": "train", "loss": 2.0},
    ]
    late = {"step": 2, "epoch": 2, "split": "test", "loss": 3.0}
    first = create_tracker(short, tmp_path, [])
    for record in (*records, late):
        first.log(record)
    second = create_tracker(short, tmp_path, records)
    assert shown(tmp_path) == {"loss/train": [(1, 1.0), (2, 2.0)]}
    first.close(False)
    second.close(False)


def test_record_is_there_before_the_file_is_closed(short: Config, tmp_path: Path):
    """As a process leaves it that is killed; NaN and null are points, too."""
    tracker = create_tracker(short, tmp_path, [])
    for step, loss in enumerate([0.5, float("nan"), None]):
        tracker.log({"step": step, "epoch": 1, "split": "train", "loss": loss})
    (points_of_loss,) = shown(tmp_path).values()
    np.testing.assert_equal(points_of_loss, [(0, 0.5), (1, np.nan), (2, np.nan)])
    tracker.close(False)


def test_settings_are_shown(short: Config, tmp_path: Path):
    """As a text, and as hyperparameters, by which TensorBoard compares runs."""
    create_tracker(short, tmp_path, []).close(True)
    found = read(tmp_path)
    (text,) = found.Tensors("settings/text_summary")
    (lines,) = text.tensor_proto.string_val
    rate = short.optimizer.learning_rate
    assert f"    optimizer.learning_rate: {rate}\n" in lines.decode("utf-8")
    (content,) = found.PluginTagToContent("hparams").values()
    hyperparameters = HParamsPluginData.FromString(content).session_start_info.hparams
    assert hyperparameters["optimizer.learning_rate"].number_value == rate


def test_without_the_library_a_run_goes_on(short: Config, monkeypatch, capsys):
    """One line says it."""
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    result = train(replace(short, epochs=1), quiet=True)
    notes = [line for line in capsys.readouterr().err.splitlines() if "tracker" in line]
    assert len(notes) == 1 and "tensorboardX" in notes[0]
    assert result.metrics and not list(result.folder.glob("events.*"))
