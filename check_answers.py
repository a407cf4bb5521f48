"""Refuse answers that cannot become a project: all of them at once, before anything is written.

Cookiecutter makes the project's folder before it runs a hook. So this is an extension of its Jinja
environment, and the answers are checked when that folder's name is rendered.
"""

import difflib
import json
import keyword
import os
import re
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from cookiecutter.exceptions import FailedHookException
from jinja2 import Environment, pass_context
from jinja2.ext import Extension
from jinja2.runtime import Context

LONGEST_NAME = 50
MOST_MICRO_BATCHES = 256
WINDOWS_DEVICES = {"con", "prn", "aux", "nul"} | {
    f"{p}{i}" for p in ("com", "lpt") for i in range(10)
}
DEPENDENCIES = {
    "gymnasium": "gymnasium",
    "matplotlib": "matplotlib",
    "mindspore": "mindspore",
    "mlflow": "mlflow-skinny",
    "mypy": "mypy",
    "numpy": "numpy",
    "onnx": "onnx",
    "onnxruntime": "onnxruntime",
    "pandas": "pandas",
    "PIL": "pillow",
    "pre_commit": "pre-commit",
    "pyarrow": "pyarrow",
    "pydantic": "pydantic",
    "pytest": "pytest",
    "rich": "rich",
    "ruff": "ruff",
    "safetensors": "safetensors",
    "sklearn": "scikit-learn",
    "tensorboard": "tensorboard",
    "tensorboardX": "tensorboardx",
    "yaml": "pyyaml",
}
INDIRECT = {
    "_cffi_backend",
    "_pytest",
    "absl",
    "annotated_doc",
    "annotated_types",
    "anyio",
    "asttokens",
    "astunparse",
    "cachetools",
    "certifi",
    "cffi",
    "cfgv",
    "charset_normalizer",
    "click",
    "cloudpickle",
    "contourpy",
    "cryptography",
    "cycler",
    "databricks",
    "dateutil",
    "dill",
    "distlib",
    "dotenv",
    "farama_notifications",
    "fastapi",
    "filelock",
    "fontTools",
    "git",
    "gitdb",
    "google",
    "grpc",
    "h11",
    "hatchling",
    "identify",
    "idna",
    "importlib_metadata",
    "iniconfig",
    "joblib",
    "kiwisolver",
    "markdown",
    "markdown_it",
    "markupsafe",
    "mdurl",
    "mypy_extensions",
    "mypyc",
    "narwhals",
    "nodeenv",
    "opentelemetry",
    "packaging",
    "pathspec",
    "pip",
    "pkg_resources",
    "platformdirs",
    "pluggy",
    "psutil",
    "py",
    "pyasn1",
    "pyasn1_modules",
    "pycparser",
    "pydantic_core",
    "pygame",
    "pygments",
    "pyparsing",
    "requests",
    "safetensors",
    "scipy",
    "setuptools",
    "six",
    "smmap",
    "sqlparse",
    "starlette",
    "tensorboard_data_server",
    "threadpoolctl",
    "tomli",
    "typing_extensions",
    "typing_inspection",
    "urllib3",
    "uvicorn",
    "virtualenv",
    "werkzeug",
    "wheel",
    "zipp",
}
"""modules that the dependencies bring along"""
FOLDERS = {"configs", "conftest", "runs", "src", "test", "tests"}
BIDI_CONTROLS = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNWRITABLE = ("Cc", "Cs", "Zl", "Zp", "Cn")
"""categories of characters that break a line, or that a file cannot hold"""
FALLBACKS = {"project_slug": "my-project", "package_name": "my_project"}
"""what works where nothing can be made of an answer, and the default depends on another one"""


class Fault(NamedTuple):
    """An answer that cannot be used."""

    question: str
    sentence: str
    cures: list[str]
    """what would work in its place, the likeliest first"""


def fault(question: str, answer: object, complaint: str, cures: list[str]) -> Fault:
    """Make the sentence: the question, its answer, what is wrong with it and what would work."""
    works = f": {', '.join(map(repr, cures))} would work" if cures else ""
    return Fault(question, f"{question} {answer!r} {complaint}{works}", cures)


class CheckAnswers(Extension):
    """Check the answers when all are there and the slug is put out: as the name of the folder."""

    def __init__(self, environment: Environment):
        super().__init__(environment)
        environment.finalize = check


@pass_context
def check(context: Context, value: object) -> object:
    """Return ``value``, once the answers have been found good.

    Raises:
        FailedHookException: an answer cannot be used.
    """
    answers = context.get("cookiecutter", {})
    if "_template" not in answers or value is not answers["project_slug"]:
        return value
    template = Template(folder_of(answers), context.environment)
    found = faults(answers, template)
    if found:
        say(refusal(found, answers, template))
        raise FailedHookException("No project was written.")
    return value


@pass_context
def unchanged(context: Context, value: object) -> object:
    """Return ``value``."""
    return value


def folder_of(answers: Mapping[str, Any]) -> Path:
    """Return the template's folder; without cookiecutter's word it is where this was imported from."""
    if "_repo_dir" in answers:
        return Path(answers["_repo_dir"])
    folders = [Path(name) for name in reversed(sys.path)]
    return next(folder for folder in folders if (folder / Path(__file__).name).is_file())


class Template:
    """The questions, and the values that follow from answers."""

    def __init__(self, folder: Path, environment: Environment):
        text = (folder / "cookiecutter.json").read_text(encoding="utf-8")
        self.table: dict[str, Any] = json.loads(text)
        self.environment = environment
        environment.finalize = unchanged
        names = [name for name in self.table if name != "__prompts__"]
        self.questions = [name for name in names if not name.startswith("_")]
        self.choices = [name for name in self.questions if isinstance(self.table[name], list)]
        self.private = [name for name in names if name.startswith("__")]
        self.tables = [name for name in names if name.startswith("_") and name[1] != "_"]

    def default(self, question: str, answers: Mapping[str, Any]) -> str:
        """Return what cookiecutter would offer after these answers."""
        raw = self.table[question]
        if isinstance(raw, list):
            return raw[0]
        return self.environment.from_string(raw).render(cookiecutter=answers)

    def complete(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers with the template's own tables and private variables."""
        whole = {**answers, **{name: self.table[name] for name in self.tables}}
        for name in self.private:
            whole[name] = self.default(name, whole)
        return whole


def faults(answers: Mapping[str, Any], template: Template) -> list[Fault]:
    """Find everything that cannot be used, what is wrong with it, and what would work."""
    unknown = [
        Fault(name, f"{name} is not a question of this template{nearest(name, template)}", [])
        for name in answers
        if not name.startswith("_") and name not in template.questions
    ]
    found = answer_faults(answers, template)
    if not {fault.question for fault in found} & set(template.choices):
        found += private_faults(answers, template)
    return unknown + found


def nearest(name: str, template: Template) -> str:
    """Point at the question that was probably meant, if there is one."""
    near = difflib.get_close_matches(name, template.questions, n=1)
    return f": did you mean {near[0]}?" if near else ""


def answer_faults(answers: Mapping[str, Any], template: Template) -> list[Fault]:
    """Find the questions whose answers cannot be used."""
    found = []
    for question, complaint in COMPLAINTS.items():
        fallback = FALLBACKS.get(question, template.table[question])
        found += text_faults(question, answers[question], complaint, fallback)
    return found + (choice_faults(answers, template) or conflict_faults(answers, template))


def text_faults(
    question: str, answer: object, complaint: Callable[[str], str | None], fallback: str
) -> list[Fault]:
    """Find what is wrong with an answer in words; what is proposed has nothing wrong with it."""
    said = complaint(answer) if isinstance(answer, str) else "is not text"
    if said is None:
        return []
    proposals = proposed(question, str(answer)) if type(answer) in (str, int, float) else []
    cures = [text for text in (*proposals, fallback) if complaint(text) is None]
    return [fault(question, answer, said, cures[:1])]


def proposed(question: str, answer: str) -> list[str]:
    """Rewrite an answer in words in some ways, one of which may work."""
    if question == "project_slug":
        slug = re.sub(r"[^a-z0-9]+", "-", answer.lower())[:LONGEST_NAME].strip("-")
        return [answer, slug, f"{slug[: LONGEST_NAME - 8].strip('-')}-project"]
    if question == "package_name":
        package = re.sub(r"[^a-z0-9]+", "_", answer.lower())[:LONGEST_NAME].strip("_")
        stem = package.removeprefix("test_")[: LONGEST_NAME - 8].strip("_")
        return [answer, package, f"{stem}_project".strip("_"), f"project_{stem}"]
    if question == "accumulation_steps":
        too_many = re.fullmatch("[1-9][0-9]+", answer) is not None
        return [answer, str(MOST_MICRO_BATCHES)] if too_many else [answer]
    shown = "".join(c for c in answer if c not in BIDI_CONTROLS)
    spaced = "".join(" " if unicodedata.category(c) in UNWRITABLE else c for c in shown)
    return [answer, shown.strip(), " ".join(spaced.split())]


def text_complaint(text: str) -> str | None:
    """Text keeps its every character but those that would break a line, hide, or reorder it."""
    if not text.strip():
        return "is empty"
    if text != text.strip():
        return "begins or ends with white space"
    for character in text:
        if unicodedata.category(character) in UNWRITABLE:
            kind = "a line break" if character in "\r\n\u2028\u2029\x85" else "a control character"
            return f"has {kind}, {character!r}"
        if character in BIDI_CONTROLS:
            return f"has a hidden {character!r} that reorders text"
    return None


def email_complaint(email: str) -> str | None:
    """An address is something, an @, and a domain with a dot."""
    if re.fullmatch(r"[^@\s<>,;\"\\]+@[^@\s<>,;\"\\.]+(\.[^@\s<>,;\"\\.]+)+", email):
        return text_complaint(email)
    return "is not an address"


def slug_complaint(slug: str) -> str | None:
    """A slug must be a folder on every system and a distribution's name."""
    if slug.split(".")[0].lower() in WINDOWS_DEVICES:
        return "cannot be a folder on Windows"
    if len(slug) > LONGEST_NAME:
        return f"has {len(slug)} characters, {LONGEST_NAME} at most"
    if not re.fullmatch(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*", slug):
        return "must be letters, digits and single . _ - between them"
    distributions = [name.lower() for name in DEPENDENCIES.values()]
    if re.sub(r"[._-]+", "-", slug.lower()) in distributions:
        return "is what the project depends on"
    return None


def package_complaint(package: str) -> str | None:
    """A package must be importable, and hide nothing that the project imports."""
    modules = (*sys.stdlib_module_names, *DEPENDENCIES, *DEPENDENCIES.values(), *INDIRECT, *FOLDERS)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", package):
        return "must be a Python identifier of ASCII letters, digits and _, the first a letter"
    if len(package) > LONGEST_NAME:
        return f"has {len(package)} characters, {LONGEST_NAME} at most"
    if keyword.iskeyword(package):
        return "is a Python keyword"
    if package.lower() in WINDOWS_DEVICES:
        return "cannot be a folder on Windows"
    hidden = {name.lower() for name in modules}
    if package.lower() in hidden or package.lower().startswith("test_"):
        return "hides a module of Python, of a dependency or a folder of the project"
    return None


def accumulation_complaint(steps: str) -> str | None:
    """The number of micro-batches is a positive integer, in plain digits."""
    if re.fullmatch(r"[1-9][0-9]*", steps) is None:
        return "is not a positive integer in plain digits"
    if len(steps) > 9 or int(steps) > MOST_MICRO_BATCHES:
        return "is more micro-batches than a batch should have rows"
    return None


COMPLAINTS = {
    "project_name": text_complaint,
    "project_slug": slug_complaint,
    "package_name": package_complaint,
    "description": text_complaint,
    "author_name": text_complaint,
    "author_email": email_complaint,
    "accumulation_steps": accumulation_complaint,
}
"""for each question that is answered in words, what says what is wrong with an answer"""


def choice_faults(answers: Mapping[str, Any], template: Template) -> list[Fault]:
    """Find each choice that does not exist, or that the task does not take."""
    found = []
    for question in template.choices:
        answer, taken = answers[question], taken_by_task(question, answers, template)
        if answer in taken:
            continue
        known = answer in template.table[question]
        complaint = f"does not go with task {answers['task']!r}" if known else "is not a choice"
        likeness = partial(likeness_to, answer)
        cures = sorted(fitting(question, taken, answers, template), key=likeness, reverse=True)
        found.append(fault(question, answer, complaint, cures))
    return found


def taken_by_task(question: str, answers: Mapping[str, Any], template: Template) -> list[str]:
    """List the choices of a question that the task takes; all of them, where there is no such task."""
    of_task = row_of_task(answers, template)
    return ["auto", *of_task[question]] if question in of_task else template.table[question]


def row_of_task(answers: Mapping[str, Any], template: Template) -> dict[str, list[str]]:
    """Return the task's row of ``_tasks``, empty if there is no such task."""
    tasks = template.table["_tasks"]
    return tasks[answers["task"]] if answers["task"] in list(tasks) else {}


def likeness_to(answer: object, choice: str) -> float:
    """Say how much a choice is like what was answered: 0 unless it was probably meant."""
    ratio = difflib.SequenceMatcher(None, str(answer), choice).ratio()
    return ratio if ratio > 0.6 else 0.0


def fitting(
    question: str, choices: list[str], answers: Mapping[str, Any], template: Template
) -> list[str]:
    """Keep the choices that go with the other answers; all of them, if none does."""
    named = [choice for choice in choices if choice != "auto"]
    fit = [choice for choice in named if fits(question, {**answers, question: choice}, template)]
    return fit or named


def fits(question: str, answers: Mapping[str, Any], template: Template) -> bool:
    """Tell whether the answer to a question goes with the others."""
    linked = next(iter(template.table["_tasks"].values())) if question == "task" else ()
    taken = all(answers[other] in taken_by_task(other, answers, template) for other in linked)
    return taken and not conflicts(answers, template)


def conflicts(answers: Mapping[str, Any], template: Template) -> list[dict[str, Any]]:
    """Return the rows of ``_conflicts`` that these answers meet."""
    of_task = row_of_task(answers, template)

    def meant(question: str) -> object:
        picked = question == "network"  # which "auto" picks so that it goes with the dataset
        left = answers[question] == "auto" and question in of_task and not picked
        return of_task[question][0] if left else answers[question]

    return [
        conflict
        for conflict in template.table["_conflicts"]
        if all(
            meant(question) in choices
            for question, choices in conflict.items()
            if question != "why"
        )
    ]


def conflict_faults(answers: Mapping[str, Any], template: Template) -> list[Fault]:
    """Find choices that do not go together; of two the one is at fault that was left to the template."""
    found = []
    for conflict in conflicts(answers, template):
        questions = [question for question in conflict if question != "why"]
        left = [question for question in questions if answers[question] == "auto"]
        question = (left or questions)[-1]
        others = [f"{other} {answers[other]!r}" for other in questions if other != question]
        cures = fitting(question, taken_by_task(question, answers, template), answers, template)
        complaint = f"does not go with {' and '.join(others)} ({conflict['why']})"
        found.append(fault(question, answers[question], complaint, cures))
    return found


def private_faults(answers: Mapping[str, Any], template: Template) -> list[Fault]:
    """Find what a file of answers has changed of the template's own and of what follows from answers."""
    found = [
        Fault(name, f"{name} is not this template's: leave it out, or render anew", [])
        for name in (*template.tables, "_copy_without_render")
        if answers.get(name) != template.table.get(name)
    ]
    expected = template.complete(answers)
    for name in template.private:
        value, right = answers.get(name), expected[name]
        is_year = name == "__year" and re.fullmatch("[0-9]{4}", str(value), re.ASCII)
        if value != right and not (is_year and isinstance(value, str)):
            meaning = f"is not what the answers mean, {right!r}: change both alike, or render anew"
            found.append(Fault(name, f"{name} {value!r} {meaning}", []))
    return found


def refusal(found: list[Fault], answers: Mapping[str, Any], template: Template) -> str:
    """Say what is wrong, and the command that renders what was probably meant."""
    lines = ["These answers cannot be used:", *(f"  - {fault.sentence}" for fault in found)]
    whole = cured(answers, template)
    pasted = command(whole, template)
    if not can_show(pasted):
        return "\n".join(lines)
    lines += ["This command renders the same answers with the first cure of each:", "", pasted, ""]
    if Path(whole.get("_output_dir", ""), whole["project_slug"]).exists():
        lines.append("There is such a folder: with -f behind it the command writes over its files.")
    return "\n".join(lines)


def cured(answers: Mapping[str, Any], template: Template) -> dict[str, Any]:
    """Put the first cure in the place of each answer at fault, until none is."""
    whole = {
        name: answers[name] for name in answers if name in template.questions or name[:1] == "_"
    }
    while found := answer_faults(whole, template):
        whole |= {fault.question: fault.cures[0] for fault in found}
    return whole


def command(answers: Mapping[str, Any], template: Template) -> str:
    """Write the command line that renders these answers, whatever the user's configuration has."""
    place = str(answers["_template"])
    call = [*program(), os.path.abspath(place) if os.path.exists(place) else place]
    call += ["--no-input", "--default-config"]
    if answers.get("_checkout"):
        call += ["--checkout", str(answers["_checkout"])]
    if answers.get("_output_dir", os.getcwd()) != os.getcwd():
        call += ["--output-dir", str(answers["_output_dir"])]
    for question in template.questions:
        if answers[question] != template.default(question, answers):
            call.append(f"{question}={as_jinja(answers[question])}")
    return shlex.join(call)


def program() -> list[str]:
    """Name the cookiecutter that is running, as a shell finds it."""
    found = shutil.which("cookiecutter")
    if found and os.path.exists(sys.argv[0]) and os.path.samefile(found, sys.argv[0]):
        return ["cookiecutter"]
    return [sys.executable, "-m", "cookiecutter"]


def as_jinja(text: str) -> str:
    """Write a text such that Jinja, which cookiecutter applies to a command line, gives it back."""
    return re.sub(r"\{\{|\{%%|\{##", lambda opening: "{{ '" + opening[0] + "' }}", text)


def can_show(text: str) -> bool:
    """Tell whether standard error can show every character."""
    try:
        text.encode(sys.stderr.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def say(text: str) -> None:
    """Print on standard error, whatever characters it can show."""
    encoding = sys.stderr.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)
