"""Every choice is trained by the rendered project's own tests; so are the tutorials' setups."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from .choices import every_choice_of_every_task, name

TUTORIALS = {
    "linear_momentum_pynative_jit": (
        dict(network="linear", loss="mse", optimizer="momentum", execution="pynative_jit"),
        [],
        0.6,
    ),
    "linear_momentum_graph": (
        dict(network="linear", loss="mse", optimizer="momentum", execution="graph"),
        [],
        0.6,
    ),
    "mlp_huber_adam_clipped": (
        dict(network="mlp", loss="huber", gradient_policy="clip_by_global_norm"),
        ["--network.width=32", "--network.depth=1"],
        0.85,
    ),
    "line_mse_sgd_clipped": (
        dict(network="linear", dataset="line", loss="mse", optimizer="sgd")
        | dict(gradient_policy="clip_by_value"),
        [],
        0.99,
    ),
}
"""answers, flags, and the R² that the default settings must reach on held-out rows"""


def python(project: Path, *arguments: str) -> str:
    """Run Python in a project, without installing it; return what it prints."""
    result = subprocess.run(
        [sys.executable, *arguments], cwd=project, capture_output=True, text=True, encoding="utf-8"
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def package(project: Path, *arguments: str) -> str:
    """Run the project's command line from its source folder."""
    return python(project / "src", "-m", "mindspore_project", *arguments)


PROVES = {
    "test_data.py": ("dataset", "task"),
    "test_gradients.py": ("gradient_policy",),
    "test_loss.py": ("loss",),
    "test_metrics.py": ("dataset", "task"),
    "test_network.py": ("network",),
    "test_optimizer.py": ("optimizer",),
    "test_schedule.py": ("schedule",),
}
"""the answers on which a test file depends; any other depends on the task"""
WHOLE = ["tests/test_train.py::test_run", "tests/test_train_step.py"]
"""what holds for the parts together, and is tested for each answer set"""


def suites() -> list[tuple[dict[str, str], list[str]]]:
    """Answer sets with every choice in every task, and of each the tests that prove something new.

    The first answer set of a task runs its whole suite, listed as nothing; the others leave out what
    an earlier one has proven of the same parts.
    """
    proven: set[tuple[str, ...]] = set()
    found = []
    for answers in every_choice_of_every_task():
        parts = {
            file: (file, *[answers[question] for question in questions])
            for file, questions in PROVES.items()
        }
        new = [f"tests/{file}" for file, part in parts.items() if part not in proven]
        if answers["gradient_policy"] == "none":
            new = [file for file in new if file != "tests/test_gradients.py"]
        if answers["task"] == "reinforcement":
            new = [file for file in new if file != "tests/test_metrics.py"]
        first = ("task", answers["task"]) not in proven
        found.append((answers, [] if first else [*WHOLE, *new]))
        proven |= {*parts.values(), ("task", answers["task"])}
    return found


@pytest.mark.parametrize(("answers", "tests"), [pytest.param(*s, id=name(s[0])) for s in suites()])
def test_rendered_suite(answers: dict[str, str], tests: list[str], render):
    """The project's tests pass, warnings are errors: the parts are proven, a run reaches its bound."""
    suite = ["-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"]
    python(render(**answers), *suite, *tests)


@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_tutorial(tutorial: str, render, tmp_path: Path):
    """What a tutorial on functional training does by hand, an answer set does by default."""
    answers, flags, bound = TUTORIALS[tutorial]
    project = render(**answers)
    run = tmp_path / "run"
    package(project, "train", "--quiet", f"--run_dir={run}", *flags)
    result = json.loads(package(project, "evaluate", "--json", f"--checkpoint={run}"))
    assert result["r2"] >= bound

    if answers.get("dataset") == "line":
        script = (
            "import sys, mindspore as ms;"
            "found = ms.load_checkpoint(sys.argv[1]);"
            "print(*[found[name].asnumpy().item() for name in sorted(found)])"
        )
        printed = python(project, "-c", script, str(run / "checkpoints" / "best.ckpt"))
        bias, weight = map(float, printed.split())
        np.testing.assert_allclose([weight, bias], [2, 3], atol=0.05)


QUALITY = [
    (dict(task="regression"), "r2", 0.90),
    (dict(task="classification", network="cnn"), "accuracy", 0.97),
    (dict(task="classification", network="resnet"), "accuracy", 0.97),
    (dict(task="classification", network="vit"), "accuracy", 0.97),
    (dict(task="classification", network="mlp"), "accuracy", 0.97),
    (dict(task="classification", network="linear"), "accuracy", 0.93),
    (dict(task="classification", network="mlp", dataset="spirals"), "accuracy", 0.97),
]


@pytest.mark.parametrize(("answers", "metric", "bound"), QUALITY, ids=lambda value: str(value))
def test_default_run(answers: dict[str, str], metric: str, bound: float, render, tmp_path: Path):
    """The defaults reach the quality that the README promises; nothing warns."""
    project = render(**answers)
    command = [sys.executable, "-m", "mindspore_project", "train", "--quiet"]
    result = subprocess.run(
        [*command, f"--run_dir={tmp_path}"], cwd=project / "src", capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    (line,) = result.stdout.splitlines()
    assert line.startswith(f"{tmp_path}: test loss ")
    evaluated = json.loads(package(project, "evaluate", "--json", f"--checkpoint={tmp_path}"))
    assert evaluated[metric] >= bound
