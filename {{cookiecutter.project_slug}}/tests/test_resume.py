"""A run that is stopped at any launch, and goes on, is the run that was not stopped."""

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
from causes import needs_equal_passes

from {{ cookiecutter.package_name }} import train as training
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import checkpoint, folder
from {{ cookiecutter.package_name }}.engine.errors import InputError, RunError
from {{ cookiecutter.package_name }}.engine.run import Run
from {{ cookiecutter.package_name }}.train import train

TIMES = {"rows_per_second", "seconds"}
"""what no two runs have in common"""
Left = tuple[list[dict[str, Any]], dict[str, np.ndarray]]
"""lines of metrics.jsonl but for times, numbers in the best and last weights and the last state"""


class Killed(Exception):
    """Stands in for a process that ends."""


def left_behind(run: Path) -> Left:
    """Read what a run left."""
    arrays: dict[str, np.ndarray] = {}
    for name in ("best", "last", "state"):
        found = ms.load_checkpoint(str(run / "checkpoints" / f"{name}.ckpt"))
        arrays |= {f"{name}.{key}": x.asnumpy() for key, x in found.items() if key != "host"}
    records = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    for record in records:
        for name in TIMES & record.keys():
            record[name] = None
    return records, arrays


def kill_after(pauses: int, monkeypatch) -> None:
    """Save at every pause, which is after every launch and epoch, and end at one of them."""
    counter = count(1)

    def pause(self: Run, seconds: float) -> None:
        if next(counter) > pauses:
            raise Killed
        self.save()

    monkeypatch.setattr(Run, "pause", pause)


@pytest.fixture
def short(shortened, tmp_path: Path) -> Config:
    """Settings of a run whose lines go over the ends of launches and epochs."""
    return shortened(log_every=3, run_dir=str(tmp_path / "short"))


@pytest.fixture(scope="module")
def unbroken(shortened, tmp_path_factory) -> Left:
    """What the run leaves that nobody stops."""
    folder = tmp_path_factory.mktemp("unbroken") / "run"
    return left_behind(train(shortened(log_every=3, run_dir=str(folder)), quiet=True).folder)


def check_equal(run: Path, unbroken: Left) -> None:
    """Metrics, weights, moments and counters are equal to the bit."""
    (lines, arrays), (expected_lines, expected_arrays) = left_behind(run), unbroken
    assert lines == expected_lines
    assert arrays.keys() == expected_arrays.keys()
    for name, x in arrays.items():
        assert np.array_equal(x, expected_arrays[name]), name


def test_resumed_run_is_the_unbroken_one_to_the_bit(short: Config, tmp_path: Path, monkeypatch):
    """Killed again and again, in the middle of an epoch, a line and a launch of another size."""
    needs_equal_passes(short)
    short = replace(short, validate_every=4, max_steps=11)
    kill_after(10**6, monkeypatch)
    train(replace(short, run_dir=str(tmp_path / "unbroken")), quiet=True)
    short = config = replace(short, steps_per_call="auto", save_every_updates=3)
    for pauses in (1, 2, 2, 3, 10**6):
        kill_after(pauses, monkeypatch)
        try:
            train(config, quiet=True)
        except Killed:
            config = replace(short, resume="newest")
            with (Path(str(short.run_dir)) / "metrics.jsonl").open("a") as file:
                file.write('{"step": 12, "spl')  # half a line, as a full disk leaves it
    check_equal(Path(str(short.run_dir)), left_behind(tmp_path / "unbroken"))


def test_finished_run_is_left_as_it_is(short: Config, capsys):
    """It says again what it reached, and writes no line."""
    config = replace(short, epochs=1)
    first = train(config, quiet=True)
    before = left_behind(first.folder)[0]
    again = train(replace(config, resume="newest"), quiet=True)
    assert again.metrics == pytest.approx(first.metrics)
    assert left_behind(first.folder)[0] == before
    said, repeated = capsys.readouterr().out.splitlines()[-2:]
    assert said == repeated


def test_damaged_state_is_named_and_the_one_before_it_taken(short: Config, monkeypatch, capsys):
    """A flipped bit, half a file and an empty one; without any good state it is refused."""
    kill_after(2, monkeypatch)
    with pytest.raises(Killed):
        train(short, quiet=True)
    states = Path(str(short.run_dir)) / "checkpoints"
    newest, before = states / "state.ckpt", states / "state.1.ckpt"
    content = newest.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 1
    for damaged in (bytes(flipped), content[: len(content) // 2], b""):
        newest.write_bytes(damaged)
        kill_after(0, monkeypatch)
        with pytest.raises(Killed):
            train(replace(short, resume="newest"), quiet=True)
        assert f"{newest} is damaged" in capsys.readouterr().err
    aside = [states / f"state.ckpt.damaged.{i}" for i in (1, 2, 3)]
    assert [path.read_bytes() for path in aside] == [flipped, content[: len(content) // 2], b""]
    before.write_bytes(b"")
    with pytest.raises(InputError, match="no state to resume"):
        train(replace(short, resume="newest"), quiet=True)


def test_state_that_was_named_is_the_newest_from_then_on(short: Config, unbroken, monkeypatch):
    """Resumed from the state before the newest, and ended at once: the newest is that one now."""
    needs_equal_passes(short)
    kill_after(2, monkeypatch)
    with pytest.raises(Killed):
        train(short, quiet=True)
    before = Path(str(short.run_dir)) / "checkpoints" / "state.1.ckpt"
    kill_after(0, monkeypatch)
    with pytest.raises(Killed):
        train(replace(short, resume=str(before)), quiet=True)
    monkeypatch.undo()
    train(replace(short, resume="newest"), quiet=True)
    check_equal(Path(str(short.run_dir)), unbroken)


def test_run_without_a_state_begins_again(short: Config, unbroken, monkeypatch, capsys):
    """Ended before its first state: it is said, and nothing of that start is left."""
    kill_after(0, monkeypatch)
    with pytest.raises(Killed):
        train(short, quiet=True)
    monkeypatch.undo()
    train(replace(short, resume="newest"), quiet=True)
    assert "there is no state yet" in capsys.readouterr().err
    assert left_behind(Path(str(short.run_dir)))[0] == unbroken[0]


def test_lost_lines_are_said(short: Config, monkeypatch):
    """A log that is shorter than the state says is not continued with a gap."""
    config = replace(short, epochs=1)
    run = train(config, quiet=True).folder
    (run / "metrics.jsonl").write_text("")
    with pytest.raises(InputError, match="has 0 lines, and the state was saved after"):
        train(replace(config, resume="newest"), quiet=True)


def test_state_that_cannot_be_saved_does_not_end_the_run(short: Config, monkeypatch, capsys):
    """The disk is full at each pause within the run: it is said once, and the run ends as ever."""
    whole = Run.end

    def full(*_, **__) -> None:
        raise RunError("state.ckpt cannot be written: No space left on device")

    def end(self: Run, metrics: dict[str, float]) -> None:
        monkeypatch.undo()
        whole(self, metrics)

    monkeypatch.setattr(Run, "end", end)
    monkeypatch.setattr(checkpoint, "save_state", full)
    run = train(short, quiet=True).folder
    (note,) = capsys.readouterr().err.splitlines()
    assert "No space left on device; the run goes on" in note
    assert (run / "checkpoints" / "state.ckpt").exists()


def test_state_of_another_network_is_refused(short: Config, monkeypatch):
    """The line names the parameter and both shapes."""
    kill_after(1, monkeypatch)
    with pytest.raises(Killed):
        train(short, quiet=True)
    path = Path(str(short.run_dir)) / "checkpoints" / "state.ckpt"
    found = ms.load_checkpoint(str(path))
    name = next(name for name, x in found.items() if name != "host" and x.ndim)
    host = {"host": found.pop("host")}
    found[name] = ms.Parameter(ms.ops.zeros((9, 9, 9)), name=name)
    content = [{"name": key, "data": x} for key, x in found.items()]
    path.unlink()
    ms.save_checkpoint(content, str(path), append_dict=host, crc_check=True)
    with pytest.raises(InputError, match=rf"{name} has shape \(9, 9, 9\) there"):
        train(replace(short, resume="newest"), quiet=True)


def test_settings_that_differ_are_refused(short: Config, monkeypatch, tmp_path: Path):
    """By name, with both values; what may change changes, the rest is the run's."""
    kill_after(1, monkeypatch)
    with pytest.raises(Killed):
        train(short, quiet=True)
    asked = replace(Config(), run_dir=short.run_dir, resume="newest")
    found = folder.settings_to_resume(asked, {"run_dir": short.run_dir, "resume": "newest"})
    assert found == replace(short, resume="newest")
    asked.seed = short.seed + 1
    with pytest.raises(InputError, match=f"seed is {asked.seed}, and the run in .* {short.seed}:"):
        folder.settings_to_resume(asked, {"seed": asked.seed})
    asked.seed, asked.epochs = short.seed, short.epochs - 1
    with pytest.raises(InputError, match=f"epochs is {asked.epochs}, and the run in"):
        folder.settings_to_resume(asked, {"epochs": asked.epochs})
    asked.epochs, asked.save_every = short.epochs, 3.5
    assert folder.settings_to_resume(asked, {"save_every": 3.5}).save_every == 3.5


def test_auto_begins_a_run_where_there_is_none(short: Config):
    """Then it goes on with it; any other word needs one."""
    config = replace(short, epochs=1, resume="auto")
    assert folder.settings_to_resume(config, {}) == config
    first = train(config, quiet=True)
    assert train(config, quiet=True).folder == first.folder
    with pytest.raises(InputError, match="no run to resume"):
        folder.settings_to_resume(replace(config, run_dir="none", resume="newest"), {})


def test_data_that_changed_are_not_gone_on_with(short: Config, monkeypatch):
    """What the run kept of its data is compared."""
    kill_after(1, monkeypatch)
    with pytest.raises(Killed):
        train(short, quiet=True)
    path = Path(str(short.run_dir)) / "data.json"
    path.write_text(json.dumps({"rows": "others"}))
    with pytest.raises(InputError, match="the data are not those"):
        train(replace(short, resume="newest"), quiet=True)
{%% if cookiecutter.schedule == "constant" %%}


def test_finished_run_made_longer_is_the_longer_run(short: Config, unbroken: Left):
    """Two epochs, then one more: the lines and numbers of three, with one test at the end."""
    needs_equal_passes(short)
    train(replace(short, epochs=short.epochs - 1), quiet=True)
    train(replace(short, resume="newest"), quiet=True)
    check_equal(Path(str(short.run_dir)), unbroken)
{%% endif %%}


def test_patience_outlives_a_process(short: Config, counting, monkeypatch, capsys):
    """By hand: of scores 5, 4 and then -9 a patience of 2 ends the run, after three of nine."""
    config = replace(short, epochs=9, patience=2, log_every=0)
    tasks = iter([counting([5.0, 4.0]), counting([])])
    monkeypatch.setattr(training, "create_task", lambda config: next(tasks))
    for pauses in (4, 10**6):
        kill_after(pauses, monkeypatch)
        try:
            result = training.train(config)
        except Killed:
            config = replace(config, resume="newest")
    assert result.metrics == {"weight": 2.0}
    assert [record["epoch"] for record in left_behind(result.folder)[0]] == [1, 1, 2, 2, 3, 3, 3]
    said = capsys.readouterr().out.splitlines()
    assert said.count("the last 2 validations gave no better score: the end") == 1
