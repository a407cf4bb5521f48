"""Refuse answers that cannot become a project: all of them at once, before anything is written."""

import difflib
import json
import keyword
import re
import sys
import unicodedata

ANSWERS = json.loads(r"""{{ cookiecutter | tojson }}""")

LONGEST_NAME = 50
MOST_MICRO_BATCHES = 256
WINDOWS_DEVICES = {"con", "prn", "aux", "nul"} | {
    f"{p}{i}" for p in ("com", "lpt") for i in range(10)
}
DEPENDENCIES = {
    "docstring_parser": "docstring-parser",
    "gymnasium": "gymnasium",
    "jsonargparse": "jsonargparse",
    "matplotlib": "matplotlib",
    "mindspore": "mindspore",
    "mypy": "mypy",
    "numpy": "numpy",
    "PIL": "pillow",
    "pre_commit": "pre-commit",
    "pytest": "pytest",
    "rich": "rich",
    "ruff": "ruff",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
INDIRECT = {
    "_pytest",
    "asttokens",
    "astunparse",
    "cfgv",
    "cloudpickle",
    "contourpy",
    "cycler",
    "dateutil",
    "dill",
    "distlib",
    "farama_notifications",
    "filelock",
    "fontTools",
    "google",
    "hatchling",
    "identify",
    "iniconfig",
    "joblib",
    "kiwisolver",
    "markdown_it",
    "mdurl",
    "mypy_extensions",
    "mypyc",
    "narwhals",
    "nodeenv",
    "packaging",
    "pathspec",
    "pip",
    "pkg_resources",
    "platformdirs",
    "pluggy",
    "psutil",
    "py",
    "pygame",
    "pygments",
    "pyparsing",
    "requests",
    "safetensors",
    "scipy",
    "setuptools",
    "six",
    "threadpoolctl",
    "tomli",
    "typing_extensions",
    "virtualenv",
    "wheel",
}
"""modules that the dependencies bring along"""
FOLDERS = {"configs", "conftest", "runs", "src", "test", "tests"}
BIDI_CONTROLS = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def problems(answers):
    """Return one sentence for each answer that cannot be used: its value, and what would work."""
    found = []
    for name in ("project_name", "description", "author_name", "author_email"):
        found += text_problems(name, answers[name])
    found += email_problems(answers["author_email"])
    found += slug_problems(answers["project_slug"])
    found += package_problems(answers["package_name"])
    found += accumulation_problems(answers["accumulation_steps"])
    found += combination_problems(answers)
    return found


def text_problems(name, text):
    """Text keeps its every character but those that would break a line, hide, or reorder it."""
    if not isinstance(text, str):
        return [f"{name} is {text!r}: type it as text"]
    if not text.strip():
        return [f"{name} {text!r} is empty: type at least one character"]
    if text != text.strip():
        return [f"{name} {text!r} begins or ends with white space: {text.strip()!r} would work"]
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp", "Cn"):
            clean = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
            kind = "a line break" if character in "\r\n\u2028\u2029\x85" else "a control character"
            return [
                f"{name} {text!r} has {kind}, {character!r}: {' '.join(clean.split())!r} would work"
            ]
        if character in BIDI_CONTROLS:
            clean = "".join(c for c in text if c not in BIDI_CONTROLS)
            return [
                f"{name} {text!r} has a hidden {character!r} that reorders text: {clean!r} would work"
            ]
    return []


def email_problems(email):
    """An address is something, an @, and a domain with a dot."""
    if re.fullmatch(r"[^@\s<>,;\"\\]+@[^@\s<>,;\"\\.]+(\.[^@\s<>,;\"\\.]+)+", email):
        return []
    return [f"author_email {email!r} is not an address: you@example.com would work"]


def slug_problems(slug):
    """A slug must be a folder on every system and a distribution's name."""
    suggestion = re.sub(r"[^a-z0-9]+", "-", slug.lower())[:LONGEST_NAME].strip("-") or "my-project"
    stem = slug.split(".")[0].lower()
    if stem in WINDOWS_DEVICES:
        return [f"project_slug {slug!r} cannot be a folder on Windows: '{stem}-project' would work"]
    if len(slug) > LONGEST_NAME:
        return [
            f"project_slug {slug!r} has {len(slug)} characters, {LONGEST_NAME} at most: "
            f"{suggestion!r} would work"
        ]
    if not re.fullmatch(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*", slug):
        return [
            f"project_slug {slug!r} must be letters, digits and single . _ - between them: "
            f"{suggestion!r} would work"
        ]
    distributions = [name.lower() for name in DEPENDENCIES.values()]
    if re.sub(r"[._-]+", "-", slug.lower()) in distributions:
        return [
            f"project_slug {slug!r} is what the project depends on: '{slug}-project' would work"
        ]
    return []


def package_problems(package):
    """A package must be importable, and hide nothing that the project imports."""
    modules = (*sys.stdlib_module_names, *DEPENDENCIES, *DEPENDENCIES.values(), *INDIRECT, *FOLDERS)
    shadowed = {name.lower() for name in modules}
    suggestion = re.sub(r"[^a-z0-9]+", "_", package.lower())[: LONGEST_NAME - 8].strip("_")
    if not suggestion or suggestion[0].isdigit() or keyword.iskeyword(suggestion):
        suggestion = f"project_{suggestion}".strip("_")
    if suggestion in shadowed | WINDOWS_DEVICES or suggestion.startswith("test_"):
        suggestion = f"{suggestion.removeprefix('test_')}_project"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", package):
        return [
            f"package_name {package!r} must be a Python identifier of ASCII letters, digits and _, "
            f"the first a letter: {suggestion!r} would work"
        ]
    if len(package) > LONGEST_NAME:
        return [
            f"package_name {package!r} has {len(package)} characters, {LONGEST_NAME} at most: "
            f"{suggestion!r} would work"
        ]
    if keyword.iskeyword(package):
        return [f"package_name {package!r} is a Python keyword: {suggestion!r} would work"]
    if package.lower() in WINDOWS_DEVICES:
        return [
            f"package_name {package!r} cannot be a folder on Windows: {suggestion!r} would work"
        ]
    if package.lower() in shadowed or package.lower().startswith("test_"):
        return [
            f"package_name {package!r} hides a module of Python, of a dependency or a folder of the "
            f"project: {suggestion!r} would work"
        ]
    return []


def accumulation_problems(steps):
    """The number of micro-batches is a positive integer, in plain digits."""
    if re.fullmatch(r"[1-9][0-9]{0,8}", str(steps)) is None:
        return [
            f"accumulation_steps {steps!r} is not a positive integer in plain digits: '1' would work"
        ]
    if int(steps) > MOST_MICRO_BATCHES:
        return [
            f"accumulation_steps {steps!r} is more micro-batches than a batch should have rows: "
            f"'{MOST_MICRO_BATCHES}' at most"
        ]
    return []


def combination_problems(answers):
    """Every choice must be one that there is, that the task takes, and that goes with the others."""
    found = []
    task, tasks = answers["task"], answers["_tasks"]
    if task not in tasks:
        return [f"task {task!r} is not there: {', '.join(tasks)} would work"]
    chosen = dict(answers)
    for question, choices in tasks[task].items():
        answer = answers[question]
        chosen[question] = answers[f"__{question}"]
        if answer not in ("auto", *choices):
            found.append(
                f"{question} {answer!r} does not go with task {task!r}, which takes "
                f"{', '.join(choices)}{nearest(answer, choices)}"
            )
        elif answer not in ("auto", chosen[question]) or chosen[question] not in choices:
            found.append(
                f"__{question} {chosen[question]!r} is not what the answer {question} {answer!r} "
                f"means: change both alike, or render anew"
            )
    if found:
        return found
    for conflict in answers["_conflicts"]:
        questions = [question for question in conflict if question != "why"]
        if all(chosen[question] in conflict[question] for question in questions):
            first, *rest = [f"{question} {chosen[question]!r}" for question in questions]
            last = [question for question in questions if question in tasks[task]][-1]
            others = [c for c in tasks[task][last] if c not in conflict[last]]
            found.append(
                f"{first} does not go with {' and '.join(rest)} ({conflict['why']}): "
                f"{last} {', '.join(others)} would work"
            )
    return found


def nearest(answer, choices):
    """Point at the choice that was probably meant, if there is one."""
    near = difflib.get_close_matches(str(answer), choices, n=1)
    return f"; did you mean {near[0]}?" if near else ""


if __name__ == "__main__":
    sys.stderr.reconfigure(errors="backslashreplace")
    refused = problems(ANSWERS)
    if refused:
        print("These answers cannot be used; no project was written.", file=sys.stderr)
        for problem in refused:
            print(f"  - {problem}", file=sys.stderr)
        sys.exit(1)
