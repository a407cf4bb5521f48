"""What a person may type: bad input gets one clear line and exit status 2."""

import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import pytest

from {{ cookiecutter.package_name }} import __main__ as cli
from {{ cookiecutter.package_name }}.__main__ import main
from {{ cookiecutter.package_name }}.config import Config, read
from {{ cookiecutter.package_name }}.engine import settings
from {{ cookiecutter.package_name }}.engine.folder import (
    find_checkpoint,
    open_folder,
)

PACKAGE = "{{ cookiecutter.package_name }}"
SOURCE = Path(__file__).parents[1] / "src"


def refuse(arguments: list[str], capsys) -> str:
    """Run a command that must fail, and return its one line on standard error."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    output = capsys.readouterr()
    assert output.out == ""
    (line,) = output.err.splitlines()
    return line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: command"),
        (["trian"], "train"),
        (["train", "--epohcs=3"], "there is no setting epohcs; nearest: epochs"),
        (["train", "--optimizer.lr=3"], "setting optimizer.lr; nearest: optimizer.learning_rate"),
        (["train", "--optimizer", "sgd"], "optimizer is 'sgd': it is a group of settings"),
        (["train", "plain.csv"], "'plain.csv' belongs to no setting"),
        (["train", "--epochs=0"], "epochs is 0: input should be greater than 0"),
        (["train", "--epochs=many"], "epochs is many: input should be a valid integer"),
        (["train", "--epochs"], "--epochs: expected one argument"),
        (["train", "--optimizer.learning_rate=inf"], "is inf: input should be a finite number"),
        (["train", "--seed=4294967296"], "input should be less than 4294967296"),
        (["train", "--device=TPU"], "input should be 'CPU', 'Ascend' or 'GPU'"),
        (["train", "--config=missing.yaml"], "missing.yaml cannot be read"),
        (["evaluate", "--checkpoint"], "expected one argument"),
        (["evaluate", "--checkpoint=missing.ckpt"], "no checkpoint at missing.ckpt"),
        (["evaluate"], "no trained run in runs/: train first"),
    ],
)
def test_bad_argument(arguments: list[str], message: str, capsys, monkeypatch, tmp_path: Path):
    """The line has the value or what is allowed."""
    monkeypatch.chdir(tmp_path)
    assert message in refuse(arguments, capsys)


def test_run_folder_is_not_overwritten(flags: list[str], capsys, tmp_path: Path):
    """A folder that holds a run is left alone."""
    (tmp_path / "metrics.jsonl").write_text("precious")
    line = refuse(["train", *flags, f"--run_dir={tmp_path}"], capsys)
    assert "holds a run: name another folder" in line
    assert (tmp_path / "metrics.jsonl").read_text() == "precious"


@pytest.fixture
def finished(config: Config, tmp_path: Path, monkeypatch) -> Path:
    """A run in the working folder that has weights as far as its files go, made with seed 7."""
    monkeypatch.chdir(tmp_path)
    config.seed, config.run_dir = 7, str(tmp_path / "runs" / "a")
    folder = open_folder(config, None)
    (folder / "checkpoints" / "best.ckpt").touch()
    return folder


@pytest.mark.parametrize("name", sorted(set(settings.names(Config())) - set(cli.OBEYED)))
def test_evaluate_refuses_what_it_would_not_obey(name: str, finished: Path, capsys):
    """By name, with the value of the run."""
    line = refuse(["evaluate", f"--{name}", "1"], capsys)
    value = settings.names(read([finished / "config.yaml"]))[name]
    said = f"--{name} is a setting of train; the run was made with {name} {value}"
    assert line.endswith(said.rstrip())


@pytest.mark.parametrize("flag", ["--quiet", "--config", "--optimizer", "--sed"])
def test_evaluate_refuses_flags_of_no_setting(flag: str, finished: Path, capsys):
    """Those of other commands too."""
    assert f"evaluate takes no {flag}: see" in refuse(["evaluate", flag, "1"], capsys)


@pytest.mark.parametrize("command", {{ '["evaluate", "generate"]' if cookiecutter.task == "language_model" else '["evaluate"]' }})
def test_the_rest_comes_from_the_run(command: str, finished: Path, capsys, monkeypatch):
    """The command gets the run's settings, and over them what it obeys."""
    called = []
    stand_in = types.SimpleNamespace(**{command: lambda *arguments: called.append(arguments)})
    monkeypatch.setitem(sys.modules, f"{PACKAGE}.{command}", stand_in)
    expected = read([finished / "config.yaml"])
    main([command, "--execution=pynative", f"--checkpoint={finished}"])
    expected.execution = "pynative"
    config, checkpoint, *_ = called[0]
    assert config == expected
    assert checkpoint == finished / "checkpoints" / "best.ckpt"


def test_newest_run_is_the_one_that_started_last(tmp_path: Path, monkeypatch):
    """By the moments in the manifests, whatever the time zones; what is no run does not count."""
    monkeypatch.chdir(tmp_path)
    manifests = {
        "a": '{"started": "2030-01-01T07:30:00+08:00"}',
        "b": '{"started": "2029-12-31T23:31:00+00:00"}',
        "c": "{",
        "d": "{}",
        "e": '{"started": 3}',
        "f": '{"started": "2031"}',
    }
    for name, manifest in manifests.items():
        (tmp_path / "runs" / name / "checkpoints").mkdir(parents=True)
        (tmp_path / "runs" / name / "checkpoints" / "best.ckpt").touch()
        (tmp_path / "runs" / name / "manifest.json").write_text(manifest)
    (tmp_path / "runs" / "g").mkdir()
    (tmp_path / "runs" / "g" / "manifest.json").write_text('{"started": "2032-01-01T00:00:00"}')
    assert find_checkpoint() == Path("runs/b/checkpoints/best.ckpt")


def test_checkpoint_without_its_settings_is_refused(capsys, tmp_path: Path):
    """Defaults in place of the run's settings would evaluate other rows without a word."""
    (tmp_path / "moved.ckpt").touch()
    line = refuse(["evaluate", f"--checkpoint={tmp_path / 'moved.ckpt'}"], capsys)
    assert "is not in a run's folder" in line


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process there")
@pytest.mark.parametrize("seconds", [0.2, 0.6, 1.2])
def test_ctrl_c_while_modules_are_imported(seconds: float, flags: list[str], tmp_path: Path):
    """MindSpore takes a second or more to import: stopped there, it ends as it does later."""
    command = [sys.executable, "-m", PACKAGE, "train", f"--run_dir={tmp_path / 'run'}"]
    with subprocess.Popen(
        [*command, *flags, "--epochs=100000"], cwd=SOURCE, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert (errors.splitlines()[-1:], process.returncode) == (["stopped"], 130)
    assert "Traceback" not in errors and "Fatal" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="no signals for a single process there")
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopped_run_has_no_traceback_and_goes_on(
    sent: signal.Signals, status: int, flags: list[str], tmp_path: Path
):
    """Stopped in the middle of training: the status says by what, and the state is there."""
    run_dir = f"--run_dir={tmp_path / 'run'}"
    command = [sys.executable, "-u", "-m", PACKAGE, "train", *flags, "--epochs=100000", run_dir]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=SOURCE, **pipes) as process:
        assert process.stdout is not None and process.stderr is not None
        while not process.stdout.readline().startswith("epoch"):
            assert process.poll() is None
        process.send_signal(sent)
        process.stdout.read()
        errors = process.stderr.read()
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors, "MindSpore may log that it was interrupted, Python may not"
    assert process.returncode == status
    assert (tmp_path / "run" / "checkpoints" / "state.ckpt").is_file()


def test_missing_device_names_those_there_are():
    """On a machine without an Ascend card the message says what there is."""
    command = [sys.executable, "-m", PACKAGE, "train", "--device=Ascend"]
    result = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True)
    if result.returncode == 0:
        pytest.skip("there is an Ascend card")
    assert result.returncode == 2
    assert "error: device 'Ascend' is not there: use one of CPU" in result.stderr


def test_help_does_not_load_mindspore():
    """It answers at once."""
    code = (
        "import sys\n"
        f"from {PACKAGE}.__main__ import main\n"
        "try:\n"
        "    main(['train', '--help'])\n"
        "except SystemExit as stop:\n"
        "    assert stop.code == 0\n"
        "assert 'mindspore' not in sys.modules\n"
    )
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "--epochs" in result.stdout
    assert "micro-batches a batch is split into" in " ".join(result.stdout.split())


def test_help_of_any_description(capsys, monkeypatch):
    """A per cent sign is text; each flag says its default."""
    monkeypatch.setattr(cli, "description", "50% of %s by %(prog)s")
    for arguments in (["--help"], ["train", "--help"], ["evaluate", "--help"]):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 0
    output = capsys.readouterr().out
    assert "50% of %s by %(prog)s" in output
    for name, value in settings.names(Config()).items():
        assert f"--{name} " in output
        assert value is None or f"(default: {value})" in " ".join(output.split())


def test_old_code_page_prints_any_name():
    """A name that the terminal cannot show is shown by its code points."""
    command = [sys.executable, "-m", PACKAGE, "evaluate", "--checkpoint=运行"]
    old = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    result = subprocess.run(command, cwd=SOURCE, env=old, capture_output=True)
    assert result.stderr.split() == rb"error: no checkpoint at \u8fd0\u884c".split()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--batch_size=9999999", "--accumulation_steps=1"], "batch_size 9999999 is larger than"),
        (["--batch_size=9", "--accumulation_steps=2"], "9 is not a multiple of accumulation_steps"),
    ],
)
def test_bad_combinations(arguments: list[str], message: str, flags, capsys, tmp_path: Path):
    """Values that are right alone and wrong together, or for these data; no run is begun."""
    run_dir = f"--run_dir={tmp_path / 'run'}"
    assert message in refuse(["train", *flags, *arguments, run_dir], capsys)
    assert not (tmp_path / "run").exists()


def test_debug_preset_trains_eagerly(flags: list[str], capsys, tmp_path: Path, monkeypatch):
    """``configs/debug.yaml`` takes a step or a few, and a print in it prints at every update."""
    depend = f"{PACKAGE}.engine.finite.ops.depend"
    monkeypatch.setattr(depend, lambda loss, _: print("in the step") or loss)
    preset = f"--config={SOURCE.parent / 'configs' / 'debug.yaml'}"
    own = [x for x in flags if x.startswith(("--dataset.", "--device", "--precision"))]
    main(["train", *own, preset, "--epochs=2", f"--run_dir={tmp_path / 'run'}", "--quiet"])
    printed = capsys.readouterr().out.splitlines()[:-1]
    assert set(printed) == {"in the step"} and 2 <= len(printed) <= 8
