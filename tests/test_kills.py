"""A run that is killed again and again, and resumed, is the run that nobody disturbed."""

import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

QUICK = "regression"
"""the case that is not slow"""
CASES = {
    QUICK: (
        dict(task="regression", gradient_policy="noise", optimizer="adamw", schedule="cosine")
        | dict(accumulation_steps="2"),
        ["--epochs=120", "--steps_per_call=7"],
    ),
    "classification": (
        dict(task="classification", network="cnn", optimizer="adam"),
        ["--epochs=60", "--steps_per_call=5"],
    ),
    "language_model": (
        dict(task="language_model", network="gru"),
        ["--epochs=6", "--train_rows=640", "--steps_per_call=3"],
    ),
    "gan": (
        dict(task="gan", loss="wasserstein_gp"),
        ["--epochs=40", "--discriminator_steps=2", "--steps_per_call=4", "--picture_every=100"],
    ),
    "cartpole": (
        dict(task="reinforcement", loss="ppo"),
        ["--epochs=60", "--evaluation_episodes=8", "--dataset.environments=8"]
        + ["--dataset.rollout_steps=64", "--batch_size=128", "--validate_every=28"],
    ),
    "acrobot": (
        dict(task="reinforcement", loss="ppo"),
        ["--epochs=40", "--evaluation_episodes=8", "--dataset.environment=Acrobot-v1"]
        + ["--dataset.environments=4", "--dataset.rollout_steps=64", "--batch_size=128"]
        + ["--validate_every=40"],
    ),
}
"""answers, and flags of a run of some twenty seconds that saves as often as it may"""


def command(project: Path, run: Path, *flags: str) -> subprocess.Popen:
    """Start the training of a project."""
    return subprocess.Popen(
        [sys.executable, "-m", "mindspore_project", "train", "--quiet", f"--run_dir={run}", *flags],
        cwd=project / "src",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen) -> str:
    """Wait until a run has ended well; return what it printed."""
    out, err = process.communicate()
    assert process.returncode == 0, out + err
    return out


def stop(process: subprocess.Popen, run: Path, number: int, after: float, in_save: bool) -> bool:
    """Send a signal after so many seconds, or in the middle of the first save from then on.

    Returns whether the process was still there.
    """
    end = time.monotonic() + after
    parts = [run / "checkpoints" / f"state.part.{kind}" for kind in ("tmp", "ckpt")]
    while process.poll() is None and time.monotonic() < end + 3 * in_save:
        time.sleep(0.0005 if in_save else 0.01)
        if in_save and time.monotonic() > end and any(part.exists() for part in parts):
            break
    there = process.poll() is None
    if there:
        process.send_signal(number)
    return there


def digest(run: Path) -> dict[str, str]:
    """SHA-256 of every file that holds numbers: weights, moments, counters, log but for times."""
    files = {path.name: path.read_bytes() for path in (run / "checkpoints").glob("*[a-z].ckpt")}
    log = (run / "metrics.jsonl").read_bytes()
    files["metrics.jsonl"] = re.sub(rb'"(rows_per_second|seconds)": [\d.]+', b"", log)
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def disturb(case: str, times: int, numbers: tuple[int, ...], render, tmp_path: Path) -> None:
    """Stop a run ``times`` times, go on each time, and compare with the undisturbed one."""
    answers, flags = CASES[case]
    project = render(**answers)
    flags = [*flags, "--save_every=0.0001"]
    begun = time.monotonic()
    process = command(project, tmp_path / "whole", *flags)
    while (
        process.poll() is None and not (tmp_path / "whole" / "checkpoints" / "state.ckpt").exists()
    ):
        time.sleep(0.01)
    start = time.monotonic() - begun
    finish(process)
    training = time.monotonic() - begun - start
    draw = random.Random(case)
    run = tmp_path / "broken"
    stopped = in_saves = 0
    for i in range(times):
        number = numbers[i % len(numbers)]
        process = command(project, run, *flags, "--resume=auto")
        in_save = draw.random() < 1 / 3
        after = draw.uniform(0, start + 3 * training / times)
        if not stop(process, run, number, after, in_save):
            finish(process)
            break
        out, err = process.communicate()
        stopped += 1
        in_saves += any((run / "checkpoints").glob("state.part.*"))
        if number != signal.SIGKILL and process.returncode != 0:
            status = process.returncode if process.returncode > 0 else 128 - process.returncode
            assert status == 128 + number, out + err
            assert "Error" not in err, err
    said = finish(command(project, run, *flags, "--resume"))
    print(f"{case}: {start:.1f} s to start, {training:.1f} s of training")
    print(f"stopped {stopped} times, {in_saves} of them in a save")
    assert digest(run) == digest(tmp_path / "whole")
    assert said == finish(command(project, run, "--resume"))
    assert digest(run) == digest(tmp_path / "whole")


def test_killed_run_is_the_unbroken_one(render, tmp_path: Path):
    """Some SIGKILLs: every file has the same SHA-256."""
    disturb(QUICK, 4, (signal.SIGKILL,), render, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_twenty_kills(case: str, render, tmp_path: Path):
    """SIGKILL at twenty random moments, in the start, in a compilation, in a save."""
    disturb(case, 20, (signal.SIGKILL,), render, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("case", CASES)
def test_twenty_signals(case: str, render, tmp_path: Path):
    """SIGTERM and Ctrl-C in turn: status 143 and 130, and the run is the undisturbed one."""
    disturb(case, 20, (signal.SIGTERM, signal.SIGINT), render, tmp_path)
