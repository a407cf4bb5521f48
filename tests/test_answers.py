"""What a person may answer: kept to the letter in every file, or refused before anything is written."""

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tomli as tomllib
import yaml
from cookiecutter.main import cookiecutter

from . import ROOT
from .choices import TABLE

TEXTS = [
    "plain",
    "it's \"quoted\" and 'quoted'",
    '"""',
    'ends with a quote"',
    "back\\slash \\n \\u0041 \\",
    "emoji 🚀 and 👩‍🔬",
    "中文 名字",
    "Ünïcödé",
    "{braces} {} }{",
    "{% raw %} {# no comment #} {%",
    "$HOME ${PATH} $(id) `id`",
    "# a: [b] & *c | d > e % @",
    "<b>bold</b> & <script>",
    "100 % {0} %s %(prog)s",
    "import os; os.abort()",
]


@pytest.fixture(scope="module")
def default_answers(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """Return the answers of the default render, as its ``.cookiecutter.json`` holds them."""
    output = tmp_path_factory.mktemp("default")
    cookiecutter(str(ROOT), no_input=True, output_dir=str(output), default_config=True)
    return json.loads((output / "mindspore-project" / ".cookiecutter.json").read_text())[
        "cookiecutter"
    ]


def replay(answers: dict, folder: Path) -> Path:
    """Render from a file of answers, which cookiecutter takes as they are, like those typed at a prompt."""
    (folder / "answers.json").write_text(json.dumps({"cookiecutter": answers}), encoding="utf-8")
    return Path(
        cookiecutter(
            str(ROOT),
            replay=str(folder / "answers.json"),
            output_dir=str(folder / "output"),
            default_config=True,
        )
    )


def read_back(project: Path) -> dict[str, list[str]]:
    """Parse the rendered files, and return each text as each of them has it."""
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = (project / "src").iterdir()
    docstring = ast.get_docstring(
        ast.parse((package / "__init__.py").read_text("utf-8")), clean=False
    )
    readme = (project / "README.md").read_text(encoding="utf-8")
    answers = json.loads((project / ".cookiecutter.json").read_text(encoding="utf-8"))[
        "cookiecutter"
    ]
    return {
        "project_name": [readme.splitlines()[0].removeprefix("# "), answers["project_name"]],
        "description": [settings["description"], docstring, readme.splitlines()[2]],
        "author_name": [settings["authors"][0]["name"], answers["author_name"]],
    }


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("license", ["MIT", "BSD-3-Clause"])
def test_text_is_kept(text: str, license: str, default_answers: dict, tmp_path: Path):
    """TOML, Python, Markdown, JSON and the licence have exactly the text; the code is formatted."""
    text = f"A {text}"
    typed = {"project_name": text, "description": text, "author_name": text, "license": license}
    project = replay(default_answers | typed, tmp_path)
    for name, copies in read_back(project).items():
        assert copies == [text] * len(copies), name
    assert f"{text}\n" in (project / "LICENSE").read_text(encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "format", "--check", "--no-cache", "."]
    subprocess.run(command, cwd=project, check=True, capture_output=True)


@pytest.mark.parametrize("text", [text for text in TEXTS if "{{" not in text])
def test_text_on_the_command_line_is_kept(text: str, render):
    """The same through ``cookiecutter . description=...``."""
    project = render(description=f"A {text}", author_name=f"A {text}")
    assert set(read_back(project)["description"] + read_back(project)["author_name"]) == {
        f"A {text}"
    }


def test_braces_typed_at_a_prompt_are_kept(default_answers: dict, tmp_path: Path):
    """Jinja in an answer is text; it is not run."""
    text = "{{ cookiecutter.license }} {{ 7 * 7 }}"
    project = replay(default_answers | {"description": text}, tmp_path)
    assert read_back(project)["description"] == [text] * 3


def load_hook(name: str):
    """Import a hook as cookiecutter would run it, without running it."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "hooks" / f"{name}.py")
    source = (ROOT / "hooks" / f"{name}.py").read_text(encoding="utf-8")
    module = importlib.util.module_from_spec(spec)
    exec(source.replace("{{ cookiecutter | tojson }}", "{}"), module.__dict__)
    return module


PROBLEMS = load_hook("pre_gen_project").problems

REFUSED = [
    ("package_name", "two words", "'two_words' would work"),
    ("package_name", "3d", "'project_3d' would work"),
    ("package_name", "класс", "ASCII letters"),
    ("package_name", "", "identifier"),
    ("package_name", "class", "'project_class' would work"),
    ("package_name", "None", "'none' would work"),
    ("package_name", "json", "'json_project' would work"),
    ("package_name", "JSON", "hides a module"),
    ("package_name", "mindspore", "'mindspore_project' would work"),
    ("package_name", "numpy", "hides a module"),
    ("package_name", "yaml", "hides a module"),
    ("package_name", "sklearn", "hides a module"),
    ("package_name", "tests", "hides a module"),
    ("package_name", "src", "hides a module"),
    ("package_name", "packaging", "hides a module"),
    ("package_name", "pip", "hides a module"),
    ("package_name", "conftest", "'conftest_project' would work"),
    ("package_name", "test_train", "'train_project' would work"),
    ("package_name", "con", "Windows"),
    ("package_name", "a" * 51, "51 characters"),
    ("project_slug", "con", "Windows"),
    ("project_slug", "LPT1.txt", "Windows"),
    ("project_slug", "trailing.", "'trailing' would work"),
    ("project_slug", "two words", "'two-words' would work"),
    ("project_slug", "a/b", "'a-b' would work"),
    ("project_slug", "a..b", "'a-b' would work"),
    ("project_slug", "../up", "'up' would work"),
    ("project_slug", "a" * 51, "51 characters"),
    ("project_slug", "numpy", "'numpy-project' would work"),
    ("project_name", "", "at least one character"),
    ("project_name", "   ", "at least one character"),
    ("author_name", "", "at least one character"),
    ("description", "two\nlines", "line break"),
    ("description", "carriage\rreturn", "'carriage return' would work"),
    ("description", "separator\u2028line", "line break"),
    ("description", "bell\a", "control character"),
    ("description", "nul\0", "control character"),
    ("description", "delete\x7f", "control character"),
    ("description", "evil \u202e txt", "reorders"),
    ("author_name", "lone \ud800", "control character"),
    ("author_name", " padded ", "'padded' would work"),
    ("author_email", "nobody", "you@example.com"),
    ("author_email", "a@b", "you@example.com"),
    ("author_email", "a@b..d", "you@example.com"),
    ("author_email", 'a"b@c.d', "you@example.com"),
    ("author_email", "a b@example.com", "you@example.com"),
    ("author_email", "a@example.com>", "you@example.com"),
    *[
        ("accumulation_steps", steps, "'1' would work")
        for steps in ("0", "-1", "1.5", "1e2", " 2", "2 ", "True", True, "２", "", "01", "+1", None)
    ],
    ("accumulation_steps", "257", "'256' at most"),
    ("network", "cnn", "which takes mlp, linear"),
    ("loss", "cross_entropy", "which takes huber, mse, log_cosh, quantile"),
    ("dataset", "digits", "which takes friedman, line, csv"),
    ("network", "mpl", "did you mean mlp?"),
    (
        "task",
        "translation",
        "regression, classification, language_model, gan, reinforcement would work",
    ),
    ("loss", "mse", "change both alike"),
]


@pytest.mark.parametrize(("question", "answer", "message"), REFUSED)
def test_bad_answer_is_refused(question: str, answer: object, message: str, default_answers: dict):
    """One sentence with the question, the value and what would work."""
    tables = {"_tasks": TABLE["_tasks"], "_conflicts": TABLE["_conflicts"]}
    found = PROBLEMS(default_answers | tables | {question: answer})
    matching = [problem for problem in found if message in problem]
    assert matching, found
    assert question in matching[0]
    assert answer == "" or not isinstance(answer, str) or repr(answer) in matching[0]


def test_conflict_beyond_the_tasks_own_questions_is_refused(default_answers: dict):
    """A gradient policy that the network cannot live with; with the other network it can."""
    tables = {"_tasks": TABLE["_tasks"], "_conflicts": TABLE["_conflicts"]}
    answers = default_answers | tables | {"gradient_policy": "centralize"}
    assert PROBLEMS(answers) == []
    (problem,) = PROBLEMS(answers | {"network": "linear", "__network": "linear"})
    assert "gradient_policy 'centralize'" in problem
    assert "network mlp would work" in problem


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("package_name", "a"),
        ("project_slug", "a"),
        ("project_slug", "My.Project_1-x"),
        ("package_name", "Net2"),
        ("package_name", "a" * 50),
        ("project_slug", "a" * 50),
        ("author_email", "first.last+tag@sub.example.museum"),
        ("accumulation_steps", "12"),
    ],
)
def test_good_answer_is_taken(question: str, answer: str, default_answers: dict):
    """The edge of what is allowed."""
    tables = {"_tasks": TABLE["_tasks"], "_conflicts": TABLE["_conflicts"]}
    assert PROBLEMS(default_answers | tables | {question: answer}) == []


def cli(*arguments: str, folder: Path) -> subprocess.CompletedProcess:
    """Run cookiecutter as a person does."""
    command = [sys.executable, "-m", "cookiecutter", str(ROOT), "--no-input", "--default-config"]
    return subprocess.run(
        [*command, "-o", str(folder), *arguments], capture_output=True, text=True, encoding="utf-8"
    )


def test_all_refusals_at_once_and_nothing_written(tmp_path: Path):
    """Three bad answers are three lines, and the output folder stays empty."""
    result = cli(
        "project_slug=my-run",
        "package_name=class",
        "author_email=x",
        "network=vit",
        folder=tmp_path,
    )
    assert result.returncode != 0
    for message in ("'project_class' would work", "author_email 'x'", "network 'vit' does not go"):
        assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("network", ["cnn", "resnet", "vit"])
@pytest.mark.parametrize("dataset", ["spirals", "csv"])
def test_images_and_vectors_do_not_mix(network: str, dataset: str, tmp_path: Path):
    """The hook names both, the reason, and what would work."""
    result = cli("task=classification", f"network={network}", f"dataset={dataset}", folder=tmp_path)
    assert result.returncode != 0
    assert f"dataset '{dataset}' does not go with network '{network}'" in result.stderr
    assert "network mlp, linear would work" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_auto_takes_the_first_that_fits(render):
    """``auto`` is the task's default; for rows that are vectors the first network that reads them."""
    network = (render(task="classification") / "src/mindspore_project/network.py").read_text()
    assert "class CNN" in network
    project = render(task="classification", dataset="spirals")
    assert "class MLP" in (project / "src/mindspore_project/network.py").read_text()


def test_existing_project_survives_a_bad_answer(tmp_path: Path):
    """With ``-f`` over a project and a bad answer, the person's files stay as they were."""
    assert cli(folder=tmp_path).returncode == 0
    mine = tmp_path / "mindspore-project" / "mine.txt"
    mine.write_text("precious")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = cli("-f", "package_name=class", folder=tmp_path)
    assert result.returncode != 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_code_in_an_answer_does_not_run(default_answers: dict, tmp_path: Path):
    """Neither in the hooks nor in the project."""
    evil = '"""); open("owned", "w"); ("""\\'
    project = replay(default_answers | {"description": evil, "author_name": evil}, tmp_path)
    assert read_back(project)["description"] == [evil] * 3
    assert not list(tmp_path.rglob("owned"))


def test_answers_render_the_same_tree_again(render, tmp_path: Path):
    """Rendering from a project's ``.cookiecutter.json`` gives the same bytes, that file included."""
    project = render(
        task="classification", dataset="spirals", author_name="Zoë 'Z' \"Q\"", ci="none"
    )
    again = Path(
        cookiecutter(
            str(ROOT),
            replay=str(project / ".cookiecutter.json"),
            output_dir=str(tmp_path),
            default_config=True,
        )
    )

    def tree(folder: Path) -> dict[str, bytes]:
        paths = [path for path in folder.rglob("*") if path.is_file()]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}

    assert tree(again) == tree(project)


@pytest.mark.parametrize("length", [1, 50])
def test_any_length_of_name_is_formatted(length: int, render):
    """The shortest and the longest name: lint and format have nothing to say."""
    project = render(project_slug="a" * length, package_name="b" * length)
    for command in (["ruff", "format", "--check"], ["ruff", "check"]):
        result = subprocess.run(
            [sys.executable, "-m", *command, "--no-cache", "."],
            cwd=project,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stdout


def test_workflow_expressions_survive(render):
    """Every ``${{ ... }}`` in the GitHub workflow is whole, and no ``$`` stands alone."""
    text = (render(ci="github") / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.findall(r"\$\{\{ [\w.]+ \}\}", text) == ["${{ matrix.python }}"]
    assert text.count("$") == 1
    assert yaml.safe_load(text)["jobs"]["test"]["strategy"]["matrix"]["python"][0] == "3.10"


def test_hook_knows_every_dependency():
    """A package may not be named like anything that some render depends on."""
    declared = (ROOT / "{{cookiecutter.project_slug}}" / "pyproject.toml").read_text(
        encoding="utf-8"
    )
    for path in (ROOT / "templates").rglob("dependencies*.txt"):
        declared += path.read_text(encoding="utf-8")
    names = set(re.findall(r'^    "([a-z0-9-]+)[>=<\[]', declared, flags=re.MULTILINE)) - {
        "types-pyyaml"
    }
    assert names == set(load_hook("pre_gen_project").DEPENDENCIES.values())


def test_empty_folders_are_removed_and_others_kept(tmp_path: Path):
    """The hook removes an empty ``.github/workflows`` and touches none that holds a file."""
    tidy = load_hook("post_gen_project").tidy
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "mine.md").write_text("precious")
    tidy(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == [".github", "mine.md"]
    shutil.rmtree(tmp_path / ".github")
    tidy(tmp_path)
