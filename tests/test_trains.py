"""Every choice is trained by the rendered project's own tests; so are the tutorials' setups."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cookiecutter.utils import create_env_with_context

import check_answers

from . import ROOT
from .choices import TABLE, every_choice_of_every_task, every_pair, name

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


TEMPLATE = check_answers.Template(ROOT, create_env_with_context({"cookiecutter": TABLE}))
NAMES = [
    TEMPLATE.environment.from_string(path.name)
    for path in sorted((ROOT / "{{cookiecutter.project_slug}}" / "tests").iterdir())
]
"""what the files of a project's tests are called, and whether they are there at all"""
ONCE = (
    *("accumulate", "checkpoint", "kept", "launch", "numbers", "pace", "portable", "processes"),
    *("ranks", "repeat", "rows", "runtime", "scaling", "screen", "splits", "streams", "table"),
    *("unit_rows", "units"),
)
"""tests of modules that are the same file in every project, with data of their own; so are those of ``cpu``"""
PROVES = {
    "test_built_in.py": ("dataset",),
    "test_data.py": ("dataset", "task"),
    "test_export.py": ("__network",),
    "test_finetune.py": ("__training",),
    "test_finite.py": ("__training",),
    "test_gan_loss.py": ("loss",),
    "test_gradients.py": ("gradient_policy",),
    "test_laws.py": ("network",),
    "test_loop.py": ("__training",),
    "test_loss.py": ("loss",),
    "test_measure.py": ("__training",),
    "test_metrics.py": ("dataset", "task"),
    "test_network.py": ("network",),
    "test_optimizer.py": ("optimizer",),
    "test_pictures.py": (),
    "test_precision.py": ("__training",),
    "test_policy_loss.py": ("loss",),
    "test_replay.py": ("__training",),
    "test_resume.py": ("__training",),
    "test_run.py": ("__training",),
    "test_samples.py": ("dataset", "task"),
    "test_schedule.py": ("schedule",),
    "test_settings.py": ("__training",),
    "test_tracker.py": ("tracker",),
    "test_tracking.py": ("__training",),
    **{f"test_{module}.py": () for module in ONCE},
}
"""the answers on which a test file depends; any other depends on the task"""
RUN = "tests/test_train.py::test_run"
"""a whole run, which must reach its bound"""
WHOLE = [
    RUN,
    "tests/test_train_step.py::test_step_is_the_chain_by_hand",
    "tests/test_train_step.py::test_eager_is_compiled",
]
"""what holds for the parts together, and is tested for each answer set"""


def parts(answers: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Say of each test file of a project what it proves: the file, and the answers it depends on."""
    whole = TEMPLATE.complete(answers)
    found = {}
    for name_of_file in NAMES:
        file = name_of_file.render(cookiecutter=whole)
        if file.startswith("test_"):
            questions = () if file.startswith("test_cpu_") else PROVES.get(file, ("task",))
            found[file] = (file, *[whole[question] for question in questions])
    return found


def suites() -> list[tuple[dict[str, str], list[str]]]:
    """Answer sets with every choice in every task, and of each the tests that prove something new.

    The defaults of a task run its suite, the others a whole run and what holds for the parts
    together; both leave out what an earlier one has proven of the same parts.
    """
    proven: set[tuple[str, ...]] = set()
    found = []
    for answers in every_choice_of_every_task():
        new = [file for file, part in parts(answers).items() if part not in proven]
        tests = [f"tests/{file}" for file in new]
        found.append(
            (answers, tests + [test for test in WHOLE if test.split("::")[0] not in tests])
        )
        proven |= {*parts(answers).values()}
    return found


def test_every_test_of_every_choice_is_run():
    """Whatever a test file proves of some answers, a suite has it."""
    run = set()
    for answers, tests in suites():
        run |= {part for file, part in parts(answers).items() if f"tests/{file}" in tests}
    assert run >= {part for answers in every_pair() for part in parts(answers).values()}


@pytest.mark.parametrize(("answers", "tests"), [pytest.param(*s, id=name(s[0])) for s in suites()])
def test_rendered_suite(answers: dict[str, str], tests: list[str], render):
    """The project's tests pass, warnings are errors: the parts are proven, a run reaches its bound."""
    suite = ["-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"]
    python(render(**answers), *suite, *tests)


@pytest.mark.slow
@pytest.mark.parametrize(
    "answers",
    [
        pytest.param(answers, id=name(answers))
        for answers in every_pair()
        if answers not in every_choice_of_every_task()
    ],
)
def test_every_pair_trains(answers: dict[str, str], render):
    """The project's own bound for a whole run with its defaults, some of them shortened.

    With the suites above every allowed pair of choices is trained.
    """
    python(render(**answers), "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", RUN)


NETWORKS = [
    (task, network) for task, answers in TABLE["_tasks"].items() for network in answers["network"]
]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "network"), NETWORKS)
def test_every_network_trains_in_float16(task: str, network: str, render, tmp_path: Path):
    """An epoch: some updates are taken, so that there is a loss, and the scale is logged."""
    dataset = "digits" if network == "dcgan" else "auto"
    project = render(task=task, network=network, dataset=dataset)
    rows = ["--train_rows=320"] if task == "language_model" else []
    flags = ["--quiet", "--epochs=1", "--precision=float16", f"--run_dir={tmp_path}", *rows]
    package(project, "train", *flags)
    records = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    (trained,) = [record for record in records if record["split"] == "train"]
    assert np.isfinite(trained["loss"]) and trained["loss_scale"] >= 1


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
            "from mindspore_project import config, data;"
            "dataset = data.load(config.Config());"
            "found = ms.load_checkpoint(sys.argv[1]);"
            "bias, weight = [found[name].asnumpy().item() for name in sorted(found)];"
            "print(weight * dataset.label_unit, bias * dataset.label_unit + dataset.label_mean)"
        )
        printed = python(project / "src", "-c", script, str(run / "checkpoints" / "best.ckpt"))
        np.testing.assert_allclose([*map(float, printed.split())], [2, 3], atol=0.05)


CNN, RESNET, VIT, MLP, LINEAR = (
    dict(task="classification", network=network)
    for network in ("cnn", "resnet", "vit", "mlp", "linear")
)
QUALITY = [
    (dict(task="regression"), [], dict(r2=0.90)),
    (CNN, [], dict(accuracy=0.97)),
    (CNN | dict(precision="float16"), [], dict(accuracy=0.97)),
    (RESNET, [], dict(accuracy=0.97)),
    (VIT, [], dict(accuracy=0.97)),
    (MLP, [], dict(accuracy=0.97)),
    (LINEAR, [], dict(accuracy=0.93)),
    (MLP | dict(dataset="spirals"), [], dict(accuracy=0.97)),
    (dict(task="language_model"), ["--epochs=2"], dict(bits_per_byte=2.3)),
    (dict(task="language_model", network="gru"), ["--epochs=1"], dict(bits_per_byte=2.45)),
    *[
        (dict(task="gan", loss=loss), [], dict(modes=8, good_share=0.9))
        for loss in TABLE["_tasks"]["gan"]["loss"]
    ],
    (dict(task="gan", dataset="digits"), ["--epochs=30"], dict(frechet=10)),
    (dict(task="reinforcement"), [], dict(return_mean=475)),
    (dict(task="reinforcement", loss="a2c"), [], dict(return_mean=400)),
    (dict(task="reinforcement", loss="reinforce"), [], dict(return_mean=195)),
]
"""answers, flags for less than the default run, and what it must reach on what it has not seen

The first of each task is in ``make test``, the others are in ``make test-all``.
"""
LOW = {"bits_per_byte", "frechet"}
"""metrics of which less is better"""


@pytest.mark.parametrize(
    ("answers", "flags", "bounds"),
    [
        pytest.param(
            *case,
            id="-".join(case[0].values()),
            marks=[pytest.mark.slow]
            * any(earlier[0]["task"] == case[0]["task"] for earlier in QUALITY[:i]),
        )
        for i, case in enumerate(QUALITY)
    ],
)
def test_default_run(answers: dict, flags: list, bounds: dict, render, tmp_path: Path):
    """The defaults reach the quality that the README promises; nothing warns."""
    project = render(**answers)
    command = [sys.executable, "-m", "mindspore_project", "train", "--quiet", *flags]
    result = subprocess.run(
        [*command, f"--run_dir={tmp_path}"], cwd=project / "src", capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    (line,) = result.stdout.splitlines()
    assert line.startswith(f"{tmp_path}: test ")
    evaluated = json.loads(package(project, "evaluate", "--json", f"--checkpoint={tmp_path}"))
    for metric, bound in bounds.items():
        found = evaluated[metric]
        assert found <= bound if metric in LOW else found >= bound, f"{metric} {found}"
