"""The run folder, its log, its best weights, and what a person sees of it."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mindspore import Tensor, ops

from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import checkpoint, folder, pictures
from {{ cookiecutter.package_name }}.engine.errors import InputError, RunError
from {{ cookiecutter.package_name }}.engine.files import release
from {{ cookiecutter.package_name }}.engine.run import Run


@pytest.fixture
def started(config: Config, counting, tmp_path: Path, monkeypatch) -> Run:
    """A run in a fresh working folder, in its first epoch of one step."""
    monkeypatch.chdir(tmp_path)
    begun = Run(config, counting([], steps_per_epoch=1), quiet=True)
    next(begun.stretches())
    begun.step = 1
    return begun


def lines(begun: Run) -> list[dict]:
    """What is in metrics.jsonl."""
    return [json.loads(line) for line in (begun.folder / "metrics.jsonl").read_text().splitlines()]


def test_every_line_is_json(started: Run):
    """Also when a metric is NaN or infinite: JSON has null for both."""
    started.log("train", {"loss": 0.5})
    started.log("validation", {"loss": math.nan, "other": math.inf})
    first, second = lines(started)
    assert first == {"step": 1, "epoch": 1, "split": "train", "loss": 0.5}
    assert second["loss"] is None
    assert second["other"] is None


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_loss_that_is_not_finite_ends_the_run(bad: float, started: Run):
    """The record is written, and the line names the epoch and the rate."""
    with pytest.raises(RunError, match="loss is no longer finite in epoch 1: lower the learning"):
        started.log("train", {"loss": bad, "other": 1.0}, finite=("loss",))
    assert [record["loss"] for record in lines(started)] == [None]


def test_best_weights_are_those_with_the_highest_score(started: Run):
    """Scores -0.5, -0.1, -0.4, -0.1: of equals the later; the last are the last."""
    network = started.task.network
    for number, score in enumerate([-0.5, -0.1, -0.4, -0.1, -0.3]):
        ops.assign(network.weight, Tensor(np.full((1, 1), number, np.float32)))
        started.keep(score)
    for path, expected in ((started.best, 3), (started.best.with_name("last.ckpt"), 4)):
        checkpoint.load(network, path)
        assert (network.weight.asnumpy() == expected).all()


def test_nan_is_never_the_best(started: Run):
    """A score of NaN, and weights with a NaN that the score does not show, end the run."""
    network = started.task.network
    started.keep(1.0)
    before = started.best.read_bytes()
    with pytest.raises(RunError, match="validation score is no longer finite in epoch 1"):
        started.keep(math.nan)
    ops.assign(network.weight, Tensor(np.array([[math.nan]], np.float32)))
    with pytest.raises(RunError, match="1 of the 1 numbers in weight are no longer finite"):
        started.keep(2.0)
    assert started.best.read_bytes() == before


def test_runs_of_one_second_have_their_own_folders(started: Run, config: Config):
    """Three runs in a row are three folders."""
    others = [folder.open_folder(config, None) for _ in range(2)]
    assert len({started.folder, *others}) == 3


def test_run_folder_is_not_overwritten(config: Config, tmp_path: Path):
    """A folder that holds a run is left alone."""
    run = tmp_path / "run"
    run.mkdir()
    (run / "metrics.jsonl").write_text("precious")
    config.run_dir = str(run)
    with pytest.raises(InputError, match="holds a run: name another folder"):
        folder.open_folder(config, None)
    assert os.listdir(run) == ["metrics.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows holds no folders")
@pytest.mark.parametrize("resume", [None, "newest"])
def test_folder_is_left_to_the_process_that_trains_there(
    resume: str | None, config: Config, tmp_path: Path
):
    """What flock says to another open file: refused, and nothing written, until that is closed."""
    import fcntl

    run = tmp_path / "run"
    run.mkdir()
    config.run_dir, config.resume = str(run), resume
    other = os.open(run, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    with pytest.raises(InputError, match="another process is training in"):
        folder.open_folder(config, None)
    assert os.listdir(run) == []
    os.close(other)
    folder.open_folder(config, None)
    other = os.open(run, os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    release(run)
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(other)


def test_curves_are_drawn(started: Run, monkeypatch):
    """One panel a metric, also with one point and with a gap, whatever back end is asked for."""
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    started.log("train", {"loss": math.nan})
    started.log("train", {"loss": 0.5})
    started.log("train", {"loss": 0.5, "seconds": 1.0, "rows_per_second": 9.0})
    started.log("test", {"loss": 0.5, "other": 1.0})
    pictures.draw_curves(started.records, started.folder / "curves.png")
    width, height = 1200, 480
    header = (started.folder / "curves.png").read_bytes()[16:24]
    assert (int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")) == (width, height)


def test_picture_that_fails_does_not_end_the_run(started: Run, capsys):
    """It is said in one line."""

    def fail(split: str, path: Path) -> None:
        raise ModuleNotFoundError("no plotting here")

    started.draw(fail, "test", "a.png")
    (line,) = capsys.readouterr().err.splitlines()
    assert "a.png could not be drawn" in line and "no plotting here" in line


@pytest.mark.parametrize(("last", "said"), [(-0.4, False), (-2.0, True)])
def test_end_says_where_and_what(last: float, said: bool, started: Run, capsys):
    """The last line of a run; it says when the last weights are worse than untrained ones."""
    started.before = -1.0
    started.log("test", {"loss": 0.25})
    started.now = last
    started.end({"loss": 0.25})
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith(f"{started.folder}: test loss 0.25")
    assert ("worse than before training" in line) == said


def test_what_was_kept_is_read_back(started: Run, config: Config):
    """To the letter; a file that is no text is named."""
    kept = '{"名": [1, 2.5, null]}'
    path = folder.open_folder(config, kept)
    assert folder.read_kept(path) == kept
    (path / "data.json").write_bytes(b"\xff")
    with pytest.raises(InputError, match="data.json cannot be read"):
        folder.read_kept(path)


def test_start_says_what_is_trained_on_what(config: Config, counting, tmp_path: Path, capsys):
    """What was found, and how long it takes; questions go to standard error, if quiet too."""
    for quiet in (False, True):
        config.run_dir = str(tmp_path / f"run {quiet}")
        task = counting([], found=["10 rows"], remarks=["odd"])
        Run(config, task, quiet).begin("a network")
        output = capsys.readouterr()
        lengths = f"2 updates an epoch, {2 * config.epochs} in all\n"
        assert output.out == ("" if quiet else f"10 rows\na network\n{lengths}")
        assert output.err == "note: odd\n"


def test_commit_is_noted_whatever_files_are_called(tmp_path: Path, monkeypatch):
    """A name that is no UTF-8 beside the sources, with git set to print it as it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    try:
        subprocess.run(["git", "init", "-q"], check=True)
        subprocess.run(["git", "config", "core.quotepath", "false"], check=True)
        commit = ["git", *identity, "commit", "-q", "--allow-empty", "-m", "a"]
        subprocess.run(commit, check=True)
    except OSError:
        pytest.skip("there is no git")
    clean = folder.git_commit()
    try:
        (tmp_path / os.fsdecode(b"\xff")).touch()
    except OSError:
        pytest.skip("such a name is not possible here")
    assert folder.git_commit() == f"{clean}+changes"
