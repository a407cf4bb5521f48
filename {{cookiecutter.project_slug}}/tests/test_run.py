"""The run folder."""

import json
from pathlib import Path

import pytest

from {{ cookiecutter.package_name }}.engine import run as tracking
from {{ cookiecutter.package_name }}.config import Config


@pytest.fixture
def run(config: Config, tmp_path: Path, monkeypatch) -> tracking.Run:
    """A run in a fresh working folder."""
    monkeypatch.chdir(tmp_path)
    return tracking.Run(config)


def test_every_line_is_json(run: tracking.Run):
    """Also when a metric is NaN or infinite: JSON has null for both."""
    run.log(1, 1, "train", {"loss": 0.5})
    run.log(1, 1, "validation", {"loss": float("nan"), "other": float("inf")})
    first, second = (run.folder / "metrics.jsonl").read_text().splitlines()
    assert json.loads(first) == {"step": 1, "epoch": 1, "split": "train", "loss": 0.5}
    assert json.loads(second)["loss"] is None
    assert json.loads(second)["other"] is None


def test_runs_of_one_second_have_their_own_folders(run: tracking.Run, config: Config):
    """Three runs in a row are three folders."""
    folders = {run.folder, tracking.Run(config).folder, tracking.Run(config).folder}
    assert len(folders) == 3


def test_curves_are_drawn(run: tracking.Run):
    """One panel a metric, also with one point and with a gap."""
    run.log(1, 1, "train", {"loss": float("nan")})
    run.log(2, 2, "train", {"loss": 0.5})
    run.log(2, 2, "test", {"loss": 0.5, "other": 1.0})
    run.draw_curves()
    width, height = 1200, 480
    header = (run.folder / "curves.png").read_bytes()[16:24]
    assert (int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")) == (width, height)


def test_summary_says_where_and_what(run: tracking.Run):
    """The last line of a run."""
    assert run.summary("test", {"loss": 0.25}) == f"{run.folder}: test loss 0.25"
