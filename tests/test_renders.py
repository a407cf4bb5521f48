"""Every pair of choices is rendered, and every render is whole, clean and free of what was not chosen."""

import ast
import itertools
import json
import re
import subprocess
import sys
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


def files(answers: dict[str, str], package: str = "mindspore_project") -> set[str]:
    """List every file that a render of these answers must have."""
    modules = (
        "__init__ __main__ batches build checkpoint config data errors evaluate gradients loss "
        "network optimizer runtime schedule tracking train train_step"
    )
    tests = (
        "accumulate batches checkpoint command_line data evaluate loss network optimizer "
        "runtime schedule tracking train train_step"
    )
    own = {
        "regression": " metrics",
        "classification": " metrics",
        "language_model": " metrics generate",
        "gan": " metrics samples",
        "reinforcement": " actions rollout",
    }[answers["task"]]
    modules, tests = modules + own, tests + own
    if answers["gradient_policy"] != "none":
        tests += " gradients"
    if answers["tracker"] != "none":
        modules, tests = modules + " tracker", tests + " tracker"
    ci = {"github": {".github/workflows/ci.yml"}, "gitlab": {".gitlab-ci.yml"}, "none": set()}
    return {
        ".cookiecutter.json",
        ".gitattributes",
        ".gitignore",
        ".pre-commit-config.yaml",
        "LICENSE",
        "Makefile",
        "README.md",
        "pyproject.toml",
        "configs/debug.yaml",
        "configs/default.yaml",
        "tests/conftest.py",
        *(f"src/{package}/{module}.py" for module in modules.split()),
        *(f"tests/test_{test}.py" for test in tests.split()),
        *ci[answers["ci"]],
    }


def run(project: Path, *command: str) -> None:
    """Run Python in the project; what it prints is the failure's message."""
    result = subprocess.run([sys.executable, *command], cwd=project, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def imported(folder: Path) -> set[str]:
    """Top-level names of the modules that the Python files below a folder import."""
    names = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names.add(str(node.module).split(".")[0])
    return names


@pytest.mark.parametrize("answers", every_pair(), ids=name)
def test_render(answers: dict[str, str], render):
    """Exact files; parsed, formatted, linted, typed; nothing of the template left; dependencies used."""
    project = render(**answers)
    paths = [path for path in project.rglob("*") if path.is_file()]
    assert {path.relative_to(project).as_posix() for path in paths} == files(answers)
    assert not [path for path in project.rglob("*") if path.is_dir() and not any(path.iterdir())]

    for path in paths:
        text = path.read_bytes().decode("utf-8")
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        assert "\r" not in text, path
        if path.name == ".cookiecutter.json":
            json.loads(text)
            continue
        left = re.search(r"cookiecutter|\{%|\{#|(?<!\$)\{\{|%%|from package\b", text)
        assert left is None, f"{left[0]!r} is left in {path}"
        if path.suffix in (".yaml", ".yml"):
            yaml.safe_load(text)
        if path.suffix == ".py":
            compile(text, str(path), "exec")
            too_long = [line for line in text.splitlines() if len(line) > 100]
            assert not too_long, f"over 100 columns in {path}: {too_long[0]}"
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))

    run(project, "-m", "ruff", "format", "--check", "--no-cache", ".")
    run(project, "-m", "ruff", "check", "--no-cache", ".")
    run(project, "-m", "mypy", "--cache-dir", str(project.parents[1] / "mypy"))

    declared = {re.split(r"[<>=\[]", line)[0] for line in settings["project"]["dependencies"]}
    expected = {IMPORT_NAMES.get(dependency, dependency) for dependency in declared}
    package = project / "src" / "mindspore_project"
    assert imported(package) - sys.stdlib_module_names == expected


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
