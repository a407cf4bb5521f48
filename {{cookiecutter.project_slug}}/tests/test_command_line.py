"""What a person may type: bad input gets one clear line and exit status 2."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from {{ cookiecutter.package_name }} import __main__ as cli
from {{ cookiecutter.package_name }}.__main__ import main
from {{ cookiecutter.package_name }}.config import Config

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
        ([], "expected"),
        (["trian"], "train"),
        (["train", "--epohcs=3"], "the nearest setting is epochs"),
        (["train", "--optimizer.learning_rat=3"], "the nearest setting is optimizer.learning_rate"),
        (["train", "--learning_rate=3"], "the nearest setting is optimizer.learning_rate"),
        (["train", "--optimizer.lr=3"], "optimizer.learning_rate"),
        (["train", "--epochs=0"], "0"),
        (["train", "--steps_per_call=0"], "0 cannot be used: Expected a typing.Literal['auto']"),
        (["train", "--epochs=many"], "many"),
        (["train", "--optimizer.learning_rate=-1"], "-1"),
        (["train", "--optimizer.learning_rate=inf"], "learning_rate is inf: use a finite number"),
        (["train", "--seed=4294967296"], "seed 4294967296 is too large: use at most 4294967295"),
        (["evaluate", "--checkpoint"], "train first"),
        (["train", "--device=TPU"], "Ascend"),
        (["train", "--execution=fast"], "pynative_jit"),
        (["train", "--steps_per_call=none"], "none"),
        (["train", "--config=missing.yaml"], "missing.yaml"),
        (["evaluate", "--checkpoint=missing.ckpt"], "no checkpoint at missing.ckpt"),
        (["evaluate"], "train first"),
    ],
)
def test_bad_argument(arguments: list[str], message: str, capsys, monkeypatch, tmp_path: Path):
    """The line has the value or what is allowed."""
    monkeypatch.chdir(tmp_path)
    assert message in refuse(arguments, capsys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epohcs: 3\n", "the nearest setting is epochs"),
        ("optimizer:\n  learning_rat: 1\n", "the nearest setting is optimizer.learning_rate"),
        ("epochs: many\n", "many"),
        ("epochs: [\n", "config"),
        ("optimizer: null\n", "optimizer is None, not settings: learning_rate"),
        ("optimizer: 5\n", "optimizer is 5, not settings: learning_rate"),
        ("a: &x [*x]\n", ""),
    ],
)
def test_bad_file(text: str, message: str, capsys, tmp_path: Path):
    """A file is checked like the flags."""
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    assert message in refuse(["train", f"--config={path}"], capsys)


def test_run_folder_is_not_overwritten(flags: list[str], capsys, tmp_path: Path):
    """A folder that holds a run is left alone."""
    (tmp_path / "metrics.jsonl").write_text("precious")
    line = refuse(["train", *flags, f"--run_dir={tmp_path}"], capsys)
    assert "holds a run: name another folder" in line
    assert (tmp_path / "metrics.jsonl").read_text() == "precious"


def test_default_file_is_the_defaults(flags: list[str], config: Config):
    """Training with ``configs/default.yaml`` is training without it."""
    parser = cli.add_settings(cli.Parser())
    preset = f"--config={SOURCE.parent / 'configs' / 'default.yaml'}"
    assert cli.settings(parser.instantiate(parser.parse_args([preset, *flags]))) == config


def test_newest_run_is_the_one_that_started_last(tmp_path: Path, monkeypatch):
    """By the time in the manifest, not by name; a folder that is no run does not count."""
    monkeypatch.chdir(tmp_path)
    manifests = {"a": '{"started": "2030-02"}', "b": '{"started": "2030-01"}', "c": "{", "d": "{}"}
    for name, manifest in manifests.items():
        (tmp_path / "runs" / name / "checkpoints").mkdir(parents=True)
        (tmp_path / "runs" / name / "checkpoints" / "best.ckpt").touch()
        (tmp_path / "runs" / name / "manifest.json").write_text(manifest)
    assert cli.find_checkpoint(None) == Path("runs/a/checkpoints/best.ckpt")


def test_checkpoint_without_its_settings_is_refused(capsys, tmp_path: Path):
    """Defaults in place of the run's settings would evaluate other rows without a word."""
    (tmp_path / "moved.ckpt").touch()
    line = refuse(["evaluate", f"--checkpoint={tmp_path / 'moved.ckpt'}"], capsys)
    assert "is not in a run's folder" in line


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process there")
def test_ctrl_c_has_no_traceback(flags: list[str], tmp_path: Path):
    """Interrupted in the middle of training: exit status 130, and the last line says so."""
    command = [sys.executable, "-u", "-m", PACKAGE, "train", *flags, "--epochs=100000"]
    with subprocess.Popen(
        [*command, f"--run_dir={tmp_path / 'run'}"],
        cwd=SOURCE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith("epoch")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        errors = process.stderr.read()
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors, "MindSpore may log that it was interrupted, Python may not"
    assert process.returncode == 130


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


{%% include "training/" ~ cookiecutter.__training ~ "/test_command_line.py" %%}
