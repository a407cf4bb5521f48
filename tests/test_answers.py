"""What a person may answer: kept to the letter in every file, or refused before anything is written."""

import ast
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tomli as tomllib
import yaml
from cookiecutter.exceptions import FailedHookException
from cookiecutter.main import cookiecutter
from cookiecutter.utils import create_env_with_context
from hypothesis import given, settings
from hypothesis import strategies as st

import check_answers

from . import ROOT
from .choices import TABLE, every_choice
from .choices import name as joined

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
    "50% of %s %% %(prog",
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


@pytest.mark.parametrize("text", ["%(prog)s 50% of %s", "50% of it, %%", "%(prog) {x} %d"])
def test_help_has_the_description(text: str, default_answers: dict, tmp_path: Path):
    """``--help`` shows a description as it was typed, whatever argparse would make of it."""
    project = replay(default_answers | {"description": text}, tmp_path)
    result = subprocess.run(
        [sys.executable, "-m", "mindspore_project", "--help"],
        cwd=project / "src",
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert text in result.stdout


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


TEMPLATE = check_answers.Template(ROOT, create_env_with_context({"cookiecutter": TABLE}))


def problems(answers: dict) -> list[str]:
    """Check answers that came without the template's own tables, and return the sentences."""
    tables = {name: TABLE[name] for name in TEMPLATE.tables}
    return [fault.sentence for fault in check_answers.faults(tables | answers, TEMPLATE)]


REFUSED = [
    ("package_name", "two words", "'two_words' would work"),
    ("package_name", "3d", "'project_3d' would work"),
    ("package_name", "класс", "ASCII letters"),
    ("package_name", "", "identifier"),
    ("package_name", "class", "'class_project' would work"),
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
    ("project_name", "", "'MindSpore Project' would work"),
    ("project_name", "   ", "is empty"),
    ("author_name", "", "'Your Name' would work"),
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
    ("accumulation_steps", "257", "'256' would work"),
    ("network", "cnn", "'mlp', 'linear' would work"),
    ("loss", "cross_entropy", "'huber', 'mse', 'log_cosh', 'quantile' would work"),
    ("dataset", "digits", "'friedman', 'line', 'csv', 'mindrecord' would work"),
    ("network", "mpl", "'mlp', 'linear' would work"),
    (
        "task",
        "translation",
        "'regression', 'classification', 'language_model', 'gan', 'reinforcement' would work",
    ),
    ("optimizer", "adm", "'adam', "),
    ("license", "GPL-3.0", "'Apache-2.0', 'MIT', 'BSD-3-Clause', 'Proprietary' would work"),
    ("device", "cpu", "'CPU', 'Ascend', 'GPU' would work"),
    ("ci", None, "'none', 'github', 'gitlab' would work"),
    ("schedule", 3, "'constant', "),
    ("gradient_policy", ["none"], "'none', "),
    ("execution", True, "'graph', "),
    ("task", {}, "'regression', "),
    ("project_name", None, "'MindSpore Project' would work"),
    ("project_name", 7, "'7' would work"),
    ("project_slug", None, "'my-project' would work"),
    ("project_slug", 1.5, "'1.5' would work"),
    ("project_slug", "中文", "'my-project' would work"),
    ("package_name", 3, "'project_3' would work"),
    ("package_name", ["a"], "'my_project' would work"),
    ("description", False, "'A neural network trained with MindSpore.' would work"),
    ("author_name", 0, "'0' would work"),
    ("author_name", "\u202e", "'Your Name' would work"),
    ("author_email", None, "'you@example.com' would work"),
    ("author_email", 5, "'you@example.com' would work"),
    ("author_email", " me@example.com\n", "'me@example.com' would work"),
    ("accumulation_steps", 4, "'4' would work"),
    ("loss", "mse", "change both alike"),
    ("__training", "gan", "'supervised': change both alike, or render anew"),
    ("__network", "cnn", "'mlp': change both alike, or render anew"),
    ("__dataset", None, "'friedman': change both alike, or render anew"),
    ("__year", "next", "render anew"),
    ("_tasks", {}, "render anew"),
    ("_conflicts", [], "render anew"),
    ("_new_lines", "\r\n", "render anew"),
    ("_copy_without_render", ["*"], "render anew"),
    ("optimiser", "sgd", "did you mean optimizer?"),
]


@pytest.mark.parametrize(("question", "answer", "message"), REFUSED)
def test_bad_answer_is_refused(question: str, answer: object, message: str, default_answers: dict):
    """One sentence with the question, the value and what would work."""
    found = problems(default_answers | {question: answer})
    matching = [problem for problem in found if message in problem]
    assert matching, found
    assert question in matching[0]
    if question in TEMPLATE.questions:
        assert repr(answer) in matching[0]
    assert "''" not in matching[0].removeprefix(f"{question} ''")


def test_conflict_beyond_the_tasks_own_questions_is_refused(default_answers: dict):
    """A gradient policy that network and data cannot live with; with others of them it can."""
    answers = default_answers | {"gradient_policy": "centralize"}
    assert problems(answers | {"__engine": "cpu.row_sums unit_rows units "}) == []
    (problem,) = problems(answers | {"network": "linear"})
    assert "gradient_policy 'centralize'" in problem
    assert "'line' would work" in problem
    (problem,) = problems(answers | {"network": "linear", "dataset": "csv"})
    assert "'mlp' would work" in problem
    (problem,) = problems(default_answers | {"precision": "bfloat16"})
    assert "a CPU does not compute in it" in problem
    assert problems(default_answers | {"precision": "bfloat16", "device": "Ascend"}) == []


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
    assert problems(default_answers | {question: answer}) == []


def any_answer(question: str) -> st.SearchStrategy:
    """Good answers and bad ones: of other types, of other questions, with any character."""
    words = ["con", "numpy", "test_", "class", "3d", "a/b", "..", "a" * 60, "me@example.com", "1e3"]
    other = st.none() | st.booleans() | st.integers() | st.floats() | st.lists(st.text(max_size=2))
    bad = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(words) | other
    if question not in TEMPLATE.choices:
        return bad
    return st.sampled_from(TABLE[question]) | st.sampled_from(TABLE[question]) | bad


ANY_ANSWERS = st.fixed_dictionaries({name: any_answer(name) for name in TEMPLATE.questions})


@settings(derandomize=True, deadline=None, max_examples=300)
@given(answers=ANY_ANSWERS)
def test_what_is_proposed_is_accepted(answers: dict):
    """Each cure in the place of the bad answer leaves nothing said of that question."""
    for fault in check_answers.answer_faults(answers, TEMPLATE):
        assert fault.cures
        for cure in fault.cures:
            mended = check_answers.answer_faults(answers | {fault.question: cure}, TEMPLATE)
            assert fault.question not in [left.question for left in mended]


@settings(derandomize=True, deadline=None, max_examples=300)
@given(answers=ANY_ANSWERS)
def test_command_has_the_answers_with_the_first_cures(answers: dict):
    """Split as a shell does and rendered as cookiecutter does, it gives good answers, the good ones kept."""
    at_fault = {fault.question for fault in check_answers.answer_faults(answers, TEMPLATE)}
    whole = check_answers.cured(answers | {"_template": "gh:org/template"}, TEMPLATE)
    words = shlex.split(check_answers.command(whole, TEMPLATE))
    given = dict(word.split("=", 1) for word in words[words.index("--default-config") + 1 :])
    meant = {}
    for question in TEMPLATE.questions:
        if question in given:
            raw = given[question]
            meant[question] = TEMPLATE.environment.from_string(raw).render(cookiecutter=meant)
        else:
            meant[question] = TEMPLATE.default(question, meant)
    assert check_answers.answer_faults(meant, TEMPLATE) == []
    changed = {question for question in TEMPLATE.questions if meant[question] != answers[question]}
    assert changed - at_fault <= {"network", "loss", "dataset"}  # of which one can exclude another


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
    for message in ("'class_project' would work", "author_email 'x'", "network 'vit' does not go"):
        assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


BAD_FILES = [
    *[(question, "unknown") for question in TEMPLATE.choices],
    ("__training", "gan"),
    ("_tasks", {}),
    ("project_slug", "a/b"),
    ("project_slug", "../a/b"),
    ("project_slug", ""),
    ("project_slug", "."),
    ("project_slug", "a" * 300),
    ("project_slug", "nul\0"),
    ("project_slug", "lone \ud800"),
    ("project_slug", 3),
    ("project_slug", None),
    ("package_name", None),
    ("package_name", 3),
    ("package_name", "a/b"),
    ("author_email", None),
    ("description", 7),
]


@pytest.mark.parametrize(("question", "answer"), BAD_FILES)
def test_bad_file_of_answers_writes_nothing(
    question: str, answer: object, default_answers: dict, tmp_path: Path, capsys
):
    """No project, no empty folder, not even the output folder; over a project nothing changes."""
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"cookiecutter": default_answers | {question: answer}}))
    project = tmp_path / "there" / "mindspore-project"
    project.mkdir(parents=True)
    (project / "Makefile").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    for output in ("new/folder", "there"):
        with pytest.raises(FailedHookException):
            cookiecutter(
                str(ROOT),
                replay=str(answers),
                output_dir=str(tmp_path / output),
                default_config=True,
                overwrite_if_exists=True,
            )
        assert f"  - {question} " in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before
    assert (project / "Makefile").read_text() == "mine"


def test_bad_configuration_writes_nothing(tmp_path: Path):
    """A user's configuration is read as YAML, where ``null`` is no text."""
    (tmp_path / "config.yaml").write_text("default_context:\n    author_name: null\n")
    command = [sys.executable, "-m", "cookiecutter", str(ROOT), "--no-input"]
    result = subprocess.run(
        [*command, "--config-file", str(tmp_path / "config.yaml"), "-o", str(tmp_path / "output")],
        capture_output=True,
        text=True,
        env=os.environ | {"HOME": str(tmp_path)},
    )
    assert result.returncode == 1
    assert "author_name None is not text: 'Your Name' would work" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "output").exists()


TYPED = {
    "project_name": 'It\'s "mine" $HOME `id` $(id)',
    "description": "{{ 7 * 7 }} {{{ {%% if %%} {## no ##} 中文 \\ 🚀 100 % * ~ !x",
    "author_name": "-o 'x' = y",
}


@pytest.fixture(scope="module")
def typed_at_prompts(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess:
    """Type answers at every prompt, a slug and a network that cannot be used among them."""
    typed = TYPED | {"project_slug": "a/b", "task": "2", "network": "2", "optimizer": "5"}
    lines = [typed.get(question, "") for question in TEMPLATE.questions]
    folder = tmp_path_factory.mktemp("typed")
    return subprocess.run(
        [sys.executable, "-m", "cookiecutter", str(ROOT), "--default-config"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        cwd=folder,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )


def test_command_that_is_printed_renders_the_answers(
    typed_at_prompts: subprocess.CompletedProcess, tmp_path: Path
):
    """Pasted into a shell it renders what was typed, with the first cure of each bad answer."""
    assert typed_at_prompts.returncode == 1
    assert "project_slug 'a/b'" in typed_at_prompts.stderr
    assert "network 'linear'" not in typed_at_prompts.stderr
    (pasted,) = [line for line in typed_at_prompts.stderr.splitlines() if "--no-input" in line]
    subprocess.run(["sh", "-c", pasted], cwd=tmp_path, check=True, capture_output=True)
    answers = json.loads((tmp_path / "a-b" / ".cookiecutter.json").read_text("utf-8"))
    chosen = {"task": "classification", "network": "linear", "optimizer": "lion"}
    expected = TYPED | chosen | {"project_slug": "a-b"}
    assert {name: answers["cookiecutter"][name] for name in expected} == expected


def test_command_names_the_place_and_the_version(default_answers: dict, tmp_path: Path):
    """The template as it was named, its checkout and the output folder; only answers that differ."""
    said = {"_template": "gh:org/x", "_checkout": "v1 b", "_output_dir": str(tmp_path)}
    words = shlex.split(check_answers.command(default_answers | said, TEMPLATE))
    start = words.index("gh:org/x")
    options = ["--no-input", "--default-config", "--checkout", "v1 b", "--output-dir"]
    assert words[start + 1 :] == [*options, str(tmp_path)]


def test_terminal_without_the_characters(default_answers: dict, tmp_path: Path):
    """Where standard error cannot show the command, there is no wrong one to paste."""
    answers = default_answers | {"author_name": "李", "project_slug": "a/b"}
    (tmp_path / "answers.json").write_text(json.dumps({"cookiecutter": answers}))
    result = subprocess.run(
        [sys.executable, "-m", "cookiecutter", str(ROOT), "--replay-file", "answers.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert result.returncode == 1
    assert "project_slug 'a/b'" in result.stderr
    assert "--no-input" not in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("version", "message"),
    [("1.7.3", "2.6 or later"), ("2.5.0", "and this is 2.5.0"), ("2.6.0", ""), ("2.10.1", "")],
)
def test_old_cookiecutter_is_told(version: str, message: str, monkeypatch):
    """An ImportError is what cookiecutter turns into one line, "Unable to load extension: ..."."""
    monkeypatch.setattr("cookiecutter.__version__", version)
    source = (ROOT / "needs_cookiecutter_2_6.py").read_text(encoding="utf-8")
    if message:
        with pytest.raises(ImportError, match=message):
            exec(source, {"__name__": "needs_cookiecutter_2_6"})
    else:
        exec(source, {"__name__": "needs_cookiecutter_2_6"})
    assert TABLE["_extensions"][0] == "needs_cookiecutter_2_6.Version"


@pytest.mark.parametrize("network", ["cnn", "resnet", "vit"])
@pytest.mark.parametrize("dataset", ["spirals", "csv"])
def test_images_and_vectors_do_not_mix(network: str, dataset: str, tmp_path: Path):
    """The hook names both, the reason, and what would work."""
    result = cli("task=classification", f"network={network}", f"dataset={dataset}", folder=tmp_path)
    assert result.returncode != 0
    assert f"network '{network}' does not go with dataset '{dataset}'" in result.stderr
    assert "'mlp', 'linear' would work" in result.stderr
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

    assert tree(again) == tree(project)


def tree(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("task", ["classification", "reinforcement"])
def test_template_with_windows_line_ends_renders_the_same(task: str, render, tmp_path: Path):
    """A copy of the template with CRLF in every text file gives the bytes of the one with LF."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    for name in filter(None, names.split("\0")):
        if name.startswith(("docs/", "tests/", "benchmarks/")) or not (ROOT / name).is_file():
            continue
        copy = tmp_path / "template" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_bytes()
        copy.write_bytes(text if b"\0" in text else text.replace(b"\n", b"\r\n"))
    answers = {"task": task, "gradient_policy": "noise"}
    assert tree(render(template=tmp_path / "template", **answers)) == tree(render(**answers))


@pytest.mark.parametrize("length", [1, 50])
@pytest.mark.parametrize("answers", every_choice(), ids=joined)
def test_any_length_of_name_is_formatted(answers: dict[str, str], length: int, render):
    """The shortest and the longest name: lint and format have nothing to say."""
    project = render(project_slug="a" * length, package_name="b" * length, **answers)
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


def test_check_knows_every_dependency():
    """A package may not be named like anything that some render depends on."""
    declared = (ROOT / "{{cookiecutter.project_slug}}" / "pyproject.toml").read_text(
        encoding="utf-8"
    )
    for path in (ROOT / "templates").rglob("dependencies*.txt"):
        declared += path.read_text(encoding="utf-8")
    names = set(re.findall(r'^    "([a-z0-9-]+)[>=<\[]', declared, flags=re.MULTILINE)) - {
        "types-pyyaml"
    }
    assert names == set(check_answers.DEPENDENCIES.values())


def test_empty_folders_are_removed_and_others_kept(tmp_path: Path):
    """The hook removes an empty ``.github/workflows`` and touches none that holds a file."""
    tidy = load_hook("post_gen_project").tidy
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "mine.md").write_text("precious")
    tidy(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == [".github", "mine.md"]
    shutil.rmtree(tmp_path / ".github")
    tidy(tmp_path)
