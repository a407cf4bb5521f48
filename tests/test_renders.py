"""Every pair of choices is rendered, and every render is whole, clean and free of what was not chosen."""

import ast
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import tomli as tomllib
import yaml
from jinja2 import Environment, FileSystemLoader

from . import ROOT
from .choices import (
    QUESTIONS,
    TABLE,
    allowed,
    allowed_pairs,
    defaults,
    every_choice,
    every_pair,
    name,
    pairs_of,
)

IMPORT_NAMES = {
    "mlflow-skinny": "mlflow",
    "pillow": "PIL",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
    "tensorboardx": "tensorboardX",
}
"""what a distribution is called in an import, where it differs from its own name"""
PACKAGE = ROOT / "{{cookiecutter.project_slug}}" / "src" / "{{cookiecutter.package_name}}"
MODULES = {
    *("__init__", "__main__", "build", "config", "data", "evaluate", "export", "loss", "metrics"),
    *("network", "optimizer", "replay", "schedule", "task", "train", "train_step"),
}
"""what every project has beside its engine"""
TASK_MODULES = {
    "classification": {"predict"},
    "regression": {"predict"},
    "language_model": {"generate", "text"},
    "gan": {"samples"},
    "reinforcement": {"actions", "episodes", "rollout"},
}
"""what the project of a task has, too"""
WITHOUT_TEST = {
    *("__init__", "__main__", "build", "config", "evaluate", "prepare"),
    *(
        "engine.__init__",
        "engine.cpu.__init__",
        "engine.errors",
        "engine.files",
        "engine.folder",
        "engine.images",
        "engine.log",
        "engine.pictures",
    ),
    *("engine.stop", "engine.task", "engine.tryout"),
}
"""modules that are tested with those that use them; every other one has a test of its name"""
TESTS = {"command_line", "feed", "laws", "loop", "resume"}
"""tests of more than a module"""
TASK_TESTS = {"gan": {"gan_loss", "pictures"}, "reinforcement": {"policy_loss"}}
"""tests of every loss of a task, and of what only its runs leave"""
BUILT_IN = {"digits", "friedman", "line", "ring", "spirals"}
"""datasets whose splits are tested alike"""


def other_files(answers: dict[str, str]) -> set[str]:
    """List every file that a project must have beside its modules and their tests."""
    ci = {"github": {".github/workflows/ci.yml"}, "gitlab": {".gitlab-ci.yml"}, "none": set()}
    return ci[answers["ci"]] | {
        ".cookiecutter.json",
        ".gitattributes",
        ".gitignore",
        ".pre-commit-config.yaml",
        "LICENSE",
        "Makefile",
        "README.md",
        "configs/debug.yaml",
        "configs/default.yaml",
        "pyproject.toml",
    }


def modules(folder: Path) -> dict[str, Path]:
    """Find the Python files below a folder, named as in an import: ``engine.cpu.gelu``."""
    paths = folder.rglob("*.py")
    return {".".join(path.relative_to(folder).with_suffix("").parts): path for path in paths}


def imports_within(name: str, package: dict[str, Path]) -> set[str]:
    """Name the modules of its own package that a module imports, and the packages they are in."""
    folder = name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(package[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder[: len(folder) + 1 - node.level]
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                parts = [[*base, alias.name], base, [*base, "__init__"]]
                there = [".".join(p) for p in parts if ".".join(p) in package]
                assert there, (
                    f"{name} imports {alias.name} from {'.'.join(base)}, which is not there"
                )
                found.add(there[0])
            found |= {".".join([*base[:depth], "__init__"]) for depth in range(len(base))}
            if ".".join([*base, "__init__"]) in package:
                found.add(".".join([*base, "__init__"]))
    return found


def reached(package: dict[str, Path]) -> set[str]:
    """Name the modules that the command line imports, or that they import."""
    found, ahead = set(), {"__main__"}
    while ahead:
        name = ahead.pop()
        found.add(name)
        ahead |= imports_within(name, package) - found
    return found


def plain_files() -> dict[str, bytes]:
    """Read what is the same in every project, by its name there: the engine, four others."""
    paths = [path for path in (PACKAGE / "engine").rglob("*.py*") if path.is_file()]
    return {
        re.sub(
            r"\{\{ '([\w.]+)' if .*", r"\1", path.relative_to(PACKAGE).as_posix()
        ): path.read_bytes()
        for path in [
            *paths,
            *(PACKAGE / f"{name}.py" for name in ("train", "evaluate", "export", "replay")),
            *PACKAGE.glob("*'predict.py'*"),
        ]
    }


def run(project: Path, *command: str) -> None:
    """Run Python in the project; what it prints is the failure's message."""
    result = subprocess.run([sys.executable, *command], cwd=project, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def imported(paths: Iterable[Path]) -> set[str]:
    """Top-level names of the modules that Python files import."""
    names = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names.add(str(node.module).split(".")[0])
    return names


def check_modules(
    package: dict[str, Path], tests: dict[str, Path], answers: dict[str, str]
) -> None:
    """The package has what its task needs and of the engine what is used; both are proven."""
    own = MODULES | TASK_MODULES.get(answers["task"], set())
    own |= {"gradients"} if answers["gradient_policy"] != "none" else set()
    own |= {"tracker"} if answers["tracker"] != "none" else set()
    own |= {"prepare"} if answers["dataset"] == "mindrecord" else set()
    assert {name for name in package if not name.startswith("engine.")} == own
    assert package.keys() == reached(package) | {"__init__"}

    proven = {name.removeprefix("engine.") for name in package.keys() - WITHOUT_TEST}
    proofs = {name.replace(".", "_") for name in proven}
    proofs |= TESTS | TASK_TESTS.get(answers["task"], set())
    proofs |= {"built_in"} if answers["dataset"] in BUILT_IN else set()
    assert {name for name in tests if name.startswith("test_")} == {f"test_{p}" for p in proofs}
    helpers = {name for name in tests if not name.startswith("test_")} - {"conftest"}
    assert helpers <= imported(tests.values())


def import_names(requirements: list[str]) -> set[str]:
    """Say what distributions are called in an import."""
    names = [re.split(r"[<>=\[]", requirement)[0] for requirement in requirements]
    return {IMPORT_NAMES.get(name, name) for name in names}


@pytest.mark.parametrize("answers", every_pair(), ids=name)
def test_render(answers: dict[str, str], render):
    """Exact files; parsed, formatted, linted, typed; nothing of the template left; dependencies used."""
    project = render(**answers)
    paths = [path for path in project.rglob("*") if path.is_file()]
    package = modules(project / "src" / "mindspore_project")
    tests = modules(project / "tests")
    python = {*package.values(), *tests.values()}
    found = {path.relative_to(project).as_posix() for path in paths if path not in python}
    assert found == other_files(answers)
    check_modules(package, tests, answers)
    assert not [path for path in project.rglob("*") if path.is_dir() and not any(path.iterdir())]
    for place, text in plain_files().items():
        path = project / "src" / "mindspore_project" / place
        assert not path.exists() or path.read_bytes() == text, f"{place} is not the same everywhere"

    for path in paths:
        text = path.read_bytes().decode("utf-8")
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        assert "\r" not in text, path
        if path.name == ".cookiecutter.json":
            json.loads(text)
            continue
        left = re.search(r"cookiecutter|\{%|\{#|(?<!\$)\{\{|%%\}|from package\b", text)
        assert left is None, f"{left[0]!r} is left in {path}"
        if path.suffix in (".yaml", ".yml"):
            yaml.safe_load(text)
        if path.suffix == ".py":
            compile(text, str(path), "exec")
        if path.suffix in (".py", ".yaml"):
            too_long = [line for line in text.splitlines() if len(line) > 100]
            assert not too_long, f"over 100 columns in {path}: {too_long[0]}"
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))

    run(project, "-m", "ruff", "format", "--check", "--no-cache", ".")
    run(project, "-m", "ruff", "check", "--no-cache", ".")
    run(project, "-m", "mypy", "--cache-dir", str(project.parents[1] / "mypy"))

    needed = imported(package.values()) - sys.stdlib_module_names
    extras = settings["project"]["optional-dependencies"]
    wanted = settings["project"]["dependencies"] + extras["export"]
    assert needed == import_names(wanted)
    development = import_names(extras["dev"])
    others = imported(tests.values()) - sys.stdlib_module_names - tests.keys()
    assert others <= needed | development | {"mindspore_project"}


def test_default_config_is_the_code(render):
    """``configs/default.yaml`` says what the dataclasses say, for every choice."""
    for answers in every_choice():
        script = (
            "import sys; sys.path.insert(0, 'src');"
            "from mindspore_project.config import Config, read;"
            "from mindspore_project.engine import settings;"
            "assert read(['configs/default.yaml']) == Config();"
            "found = dict(settings.load('configs/default.yaml'));"
            "assert found.keys() == settings.names(Config()).keys()"
        )
        run(render(**answers), "-c", script)


def test_pre_commit_runs_what_make_lint_runs(render):
    """The same tools, found in whatever environment is active: no path, since Windows has another."""
    project = render()
    recipe = (project / "Makefile").read_text("utf-8").split("\nlint: ")[1].split("\n\n")[0]
    lint = re.findall(
        r"^\t\$\(BIN\)/(?:python -m )?(.*?)(?: --check)?(?: \.)?$", recipe, re.MULTILINE
    )
    settings = yaml.safe_load((project / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = settings["repos"][0]["hooks"]
    commit = [hook["entry"].removeprefix("python -m ").removesuffix(" --fix") for hook in hooks]
    assert commit == lint == ["ruff format", "ruff check", "mypy"]
    assert {hook["language"] for hook in hooks} == {"system"}


def test_modules_of_the_engine_are_listed_where_they_are_used():
    """``_engine`` has the choices whose source imports a module, or one that imports another."""
    engine = (
        ROOT / "{{cookiecutter.project_slug}}" / "src" / "{{cookiecutter.package_name}}" / "engine"
    )
    needs = {}
    for module in TABLE["_engine"]:
        folder, _, stem = module.rpartition(".")
        (path,) = (engine / folder).glob(f"*'{stem}.py'*")
        found = re.findall(r"^from \.(\w+) import", path.read_text("utf-8"), re.MULTILINE)
        needs[module] = [f"{folder}.{name}".strip(".") for name in found]
    used: dict[str, set[str]] = {module: set() for module in needs}
    for path in ROOT.glob("templates/*/*/*.py"):
        text = path.read_text("utf-8")
        if "Conv2d(" in text and path.name == "network.py":
            assert "    keep_to_avx2()\n" in text, path
        found = re.findall(r"^from \.engine\.([\w.]+) import", text, re.MULTILINE)
        for module in needs.keys() & found:
            for needed in (module, *needs[module]):
                used[needed].add(path.parent.name)
    assert used == {module: set(choices) for module, choices in TABLE["_engine"].items()}


def test_every_pair_is_rendered():
    """The renders have every pair that the table allows, and none that it does not."""
    assert set().union(*map(pairs_of, every_pair())) == allowed_pairs()


def test_every_choice_is_rendered():
    """A choice in ``cookiecutter.json`` that no task takes is in no render."""
    wanted = {(question, choice) for question, choices in QUESTIONS.items() for choice in choices}
    assert set().union(*(answers.items() for answers in every_pair())) == wanted


def test_every_choice_has_help_and_a_folder():
    """One line of help a choice, and ``templates/<question>/<choice>/`` where code differs."""
    for question in (key for key in TABLE if not key.startswith("_")):
        choices = TABLE[question]
        prompts = TABLE["__prompts__"][question]
        if isinstance(choices, list):
            assert list(prompts) == ["__prompt__", *choices]
            assert all(prompts[choice].startswith(f"{choice} - ") for choice in choices)
        else:
            assert isinstance(prompts, str)
        folder = ROOT / "templates" / question
        if folder.is_dir() and question != "task":  # of which metrics are all that a choice brings
            found = {path.name for path in folder.iterdir() if path.is_dir()}
            assert found == set(choices) - {"auto"}


def test_engine_and_loop_have_no_jinja():
    """What serves every task reads the same in each: the engine, the loop and the evaluation."""
    assert {
        "train.py",
        "evaluate.py",
        "engine/launch.py",
        "engine/cpu/gelu.py",
    } <= plain_files().keys()
    for place, text in plain_files().items():
        assert not re.search(rb"\{\{|\{%|\{#", text), place


def test_components_have_no_jinja():
    """A component is plain Python that a linter, a type checker and a person can read."""
    for path in (ROOT / "templates").rglob("*"):
        of_the_shell = path.name in ("LICENSE", "defaults.jinja") or "training" in path.parts
        if path.is_file() and not of_the_shell:
            assert not re.search(r"\{\{|\{%|\{#", path.read_text(encoding="utf-8")), path


def table_of_defaults() -> tuple[dict[str, dict[str, float]], list[dict]]:
    """Read the rates and the rules of ``templates/defaults.jinja``."""
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"), **TABLE["_jinja2_env_vars"]
    )
    first = defaults("regression")
    answers = first | {
        f"__{question}": first[question] for question in ("network", "loss", "dataset")
    }
    found = environment.get_template("defaults.jinja").make_module({"cookiecutter": answers})
    return found.rates, found.rules


def test_every_optimizer_has_a_rate_in_every_task():
    """The learning rate has no other default."""
    rates, _ = table_of_defaults()
    assert rates.keys() == set(QUESTIONS["task"])
    for of_a_task in rates.values():
        assert of_a_task.keys() == set(QUESTIONS["optimizer"])


def test_rules_of_defaults_name_what_there_is():
    """A rule holds for lists of choices, sets numbers, and says why."""
    _, rules = table_of_defaults()
    for rule in rules:
        assert set(rule) == {"for", "set", "why"}
        assert isinstance(rule["why"], str) and len(rule["why"]) > 10, rule
        for question, choices in rule["for"].items():
            assert isinstance(choices, list), "a text would also hold for every part of it"
            assert set(choices) <= set(QUESTIONS[question])
        assert all(type(value) in (int, float) for value in rule["set"].values()), rule


def test_rules_of_defaults_go_from_general_to_special():
    """No later rule holds wherever an earlier one does that it overrides; each holds somewhere."""
    _, rules = table_of_defaults()
    questions = sorted(set().union(*(rule["for"] for rule in rules)) | {"task"})
    sets = (dict(zip(questions, c)) for c in itertools.product(*map(QUESTIONS.get, questions)))
    answer_sets = [answers for answers in sets if allowed(answers)]

    def holds(rule: dict, answers: dict[str, str]) -> bool:
        return all(answers[question] in choices for question, choices in rule["for"].items())

    assert all(any(holds(rule, answers) for answers in answer_sets) for rule in rules)
    for earlier, later in itertools.combinations(rules, 2):
        if earlier["set"].keys() & later["set"].keys():
            where = [answers for answers in answer_sets if holds(earlier, answers)]
            assert not all(holds(later, answers) for answers in where), f"{later} hides {earlier}"
