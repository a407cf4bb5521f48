"""Several processes train as one does; whatever happens to one of them, all end."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest

from .test_kills import digest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes of POSIX")

REGRESSION = dict(task="regression", network="mlp")
QUICK = "noise"
"""the case that is not slow"""
CASES = {
    QUICK: (REGRESSION | dict(optimizer="adam", gradient_policy="noise"), ["--steps_per_call=3"]),
    **{
        f"{optimizer}_{steps}": (
            REGRESSION | dict(optimizer=optimizer, gradient_policy="clip_by_global_norm"),
            [f"--accumulation_steps={steps}"],
        )
        for optimizer in ("sgd", "adam", "lion")
        for steps in (1, 4)
    },
    "sharpness_aware": (REGRESSION | dict(gradient_policy="sharpness_aware"), []),
    "one_step": (REGRESSION | dict(loss="mse"), ["--steps_per_call=1", "--skip_non_finite"]),
    "eager": (REGRESSION, ["--execution=pynative", "--epochs=1"]),
    "cnn": (dict(task="classification", network="cnn"), ["--train_rows=96"]),
    "gan": (dict(task="gan", loss="wasserstein_gp", optimizer="sgd"), ["--discriminator_steps=2"]),
}
"""answers, and flags"""
SHORT = {
    "regression": ["--epochs=2", "--dataset.rows=400"],
    "classification": ["--epochs=2"],
    "gan": ["--epochs=2", "--dataset.rows=400", "--picture_every=1"],
}
LONG = ["--epochs=100", "--dataset.rows=400", "--steps_per_call=4", "--save_every=0.0001"]
"""a run of regression that goes on until something happens to it"""


def all_cores() -> None:
    """Take back what the worker shared out: ranks spin while they wait, and never meet on one."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))


def start(project: Path, *arguments: str) -> subprocess.Popen:
    """Start a command of a project, and have what it prints."""
    return subprocess.Popen(
        [sys.executable, "-m", "mindspore_project", *arguments],
        cwd=project / "src",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=all_cores if arguments[0] == "launch" else None,
    )


def finish(process: subprocess.Popen, status: int = 0) -> tuple[str, str]:
    """Wait for the end of a process; return what it printed on its two streams."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == status, out + err
    return out, err


def ranks_of(launcher: subprocess.Popen) -> dict[str, int]:
    """Say which process each of its own is."""
    found = {}
    children = Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
    for child in map(int, children):
        text = Path(f"/proc/{child}/environ").read_text()
        settings = dict(pair.split("=", 1) for pair in text.split("\0") if "=" in pair)
        found[settings.get("MS_NODE_ID", "scheduler")] = child
    return found


def weights(run: Path) -> dict[str, np.ndarray]:
    """Read what a run saved last: weights, moments, counters."""
    found = ms.load_checkpoint(str(run / "checkpoints" / "state.ckpt"))
    found.pop("host")
    return {name: value.asnumpy() for name, value in found.items()}


def records(run: Path) -> list[dict]:
    """Read what a run logged."""
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def train_both(case: str, render, tmp_path: Path) -> tuple[Path, Path, Path]:
    """Train a case in one process and in two; return the project and the runs."""
    answers, flags = CASES[case]
    project = render(**answers)
    runs = tmp_path / "one", tmp_path / "two"
    flags = [*SHORT[answers["task"]], *flags]
    finish(start(project, "train", f"--run_dir={runs[0]}", *flags))
    out, err = finish(
        start(project, "launch", "--ranks=2", "--", "train", f"--run_dir={runs[1]}", *flags)
    )
    assert out.splitlines()[-1].startswith(f"{runs[1]}: test ")
    assert "error" not in err
    return project, *runs


def agree(one: Path, two: Path) -> None:
    """Losses, weights, moments and metrics of two runs are equal but for rounding."""
    first, second = weights(one), weights(two)
    assert first.keys() == second.keys()
    for name, value in first.items():
        np.testing.assert_allclose(second[name], value, atol=1e-6, rtol=1e-5, err_msg=name)
    for record, other in zip(records(one), records(two), strict=True):
        assert record.keys() == other.keys()
        for name in record.keys() - {"split", "rows_per_second", "seconds"}:
            np.testing.assert_allclose(other[name], record[name], rtol=1e-4, atol=1e-6)
    there = [{path.relative_to(run) for path in run.rglob("*")} for run in (one, two)]
    assert there[0] == there[1]


def test_two_processes_train_as_one(render, tmp_path: Path):
    """Adam, a policy that draws, and a launch that is filled up: equal to rounding."""
    _, *runs = train_both(QUICK, render, tmp_path)
    agree(*runs)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case != QUICK])
def test_two_processes_train_any_case_as_one(case: str, render, tmp_path: Path):
    """Other optimizers, accumulation, policies, kinds; the same weights are measured to the bit."""
    project, *runs = train_both(case, render, tmp_path)
    agree(*runs)
    best = runs[1] / "checkpoints" / "best.ckpt"
    out, _ = finish(start(project, "evaluate", "--json", f"--checkpoint={best}"))
    last = {k: x for k, x in records(runs[1])[-1].items() if k not in ("step", "epoch", "split")}
    assert json.loads(out) == last


def begun(project: Path, run: Path, *flags: str) -> subprocess.Popen:
    """Start two ranks that train for long, and wait for their third epoch."""
    process = start(project, "launch", "--ranks=2", "train", f"--run_dir={run}", *LONG, *flags)
    assert process.stdout is not None
    for line in process.stdout:
        if re.match(r"epoch +\d*3/", line):
            return process
    raise AssertionError(process.communicate())


@pytest.fixture(scope="module")
def unbroken(render, tmp_path_factory) -> tuple[Path, Path]:
    """A project, and a run of two ranks to which nothing happened."""
    project, run = render(**REGRESSION), tmp_path_factory.mktemp("unbroken") / "run"
    finish(start(project, "launch", "--ranks=2", "train", f"--run_dir={run}", *LONG))
    return project, run


def resume(project: Path, run: Path, ranks: int = 2) -> None:
    """Go on with a run until it ends."""
    command = ["launch", f"--ranks={ranks}", "train", "--resume", f"--run_dir={run}"]
    out, _ = finish(start(project, *command))
    assert "resumed in epoch" in out


FAULTS = {
    "killed": ("1", signal.SIGKILL, "rank 1 was killed by SIGKILL"),
    "first_killed": ("0", signal.SIGKILL, "rank 0 was killed by SIGKILL"),
    "frozen": ("1", signal.SIGSTOP, "rank 1 does not answer any more"),
    "first_frozen": ("0", signal.SIGSTOP, "rank 0 does not answer any more"),
    "scheduler_killed": ("scheduler", signal.SIGKILL, "the scheduler was killed by SIGKILL"),
}
"""the process, the signal, and the line"""


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_all_end_where_one_fails(fault: str, unbroken, tmp_path: Path):
    """Within a minute, with a line that names it; the run goes on, and is the unbroken one."""
    who, number, line = FAULTS[fault]
    project, whole = unbroken
    run = tmp_path / "run"
    process = begun(project, run)
    ranks = ranks_of(process)
    assert sorted(ranks) == ["0", "1", "scheduler"]
    begin = time.monotonic()
    os.kill(ranks[who], number)
    _, err = finish(process, 1)
    print(f"{fault}: {time.monotonic() - begin:.0f} s")
    assert time.monotonic() - begin < 60
    assert err.startswith(f"error: {line} (what each said is in ")
    assert not any(Path(f"/proc/{rank}").exists() for rank in ranks.values())
    resume(project, run)
    assert digest(run) == digest(whole)


@pytest.mark.slow
@pytest.mark.parametrize(("who", "number"), [("", signal.SIGTERM), ("", signal.SIGINT), ("1", 15)])
def test_all_stop_where_one_is_asked(who: str, number: int, unbroken, tmp_path: Path):
    """At the launcher and at one rank: rank 0 has saved, the status is that of the signal."""
    project, whole = unbroken
    run = tmp_path / "run"
    process = begun(project, run)
    os.kill(ranks_of(process)[who] if who else process.pid, number)
    _, err = finish(process, 128 + number)
    assert err == "stopped\n"
    resume(project, run)
    assert digest(run) == digest(whole)


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "line"), [(0, "(there were: 0)"), (1, "the same address")])
def test_machine_that_does_not_come(machine: int, line: str, render, tmp_path: Path):
    """Both sides end within a minute, and say what they waited for; nothing is written."""
    project = render(**REGRESSION)
    run = tmp_path / "run"
    plan = ["--ranks=2", "--machines=2", f"--machine={machine}", "--port=18118"]
    begin = time.monotonic()
    _, err = finish(start(project, "launch", *plan, "--", "train", f"--run_dir={run}"), 1)
    assert time.monotonic() - begin < 60
    assert "the 2 ranks did not all come to 127.0.0.1:18118 within 45 seconds" in err
    assert line in err
    assert not run.exists()


@pytest.mark.slow
def test_msrun_starts_ranks_as_well(render, tmp_path: Path):
    """A run of two ranks is the same whoever starts them; reinforcement refuses in a line."""
    for answers, line in (
        (REGRESSION, "\nrun: test "),
        (dict(task="reinforcement"), "one process"),
    ):
        project = render(**answers)
        logs = tmp_path / answers["task"]
        msrun = [Path(sys.executable).with_name("msrun"), "--worker_num=2", "--local_worker_num=2"]
        command = ["python", "-m", "mindspore_project", "train", "--epochs=2", "--run_dir=run"]
        subprocess.run(
            [*msrun, "--master_port=18119", f"--log_dir={logs}", "--join=True", *command],
            cwd=project / "src",
            env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            preexec_fn=all_cores,
            capture_output=True,
            timeout=120,
        )
        assert line in (logs / "worker_0.log").read_text()
        assert (project / "src" / "run").exists() == (answers == REGRESSION)
