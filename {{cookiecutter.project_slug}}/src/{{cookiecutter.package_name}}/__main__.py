{%% if cookiecutter.task == "language_model" %%}
"""The command line: ``train``, ``evaluate`` and ``generate``."""
{%% else %%}
"""The command line: ``python -m {{ cookiecutter.package_name }} train`` and ``evaluate``."""
{%% endif %%}

import argparse
import difflib
import json
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NoReturn

from jsonargparse import ArgumentParser, Namespace, set_parsing_settings
{%% if cookiecutter.task == "language_model" %%}
from jsonargparse import typing as number
{%% endif %%}

from . import __doc__ as description
from .config import Config
from .engine.errors import InputError, RunError

COMMAND = "{{ cookiecutter.project_slug }}"

set_parsing_settings(docstring_parse_attribute_docstrings=True)


class Parser(ArgumentParser):
    """A parser whose errors are one line, with the nearest name for one that it does not know."""

    def __init__(self, **options: Any):
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str, ex: Exception | None = None) -> NoReturn:
        """Print ``message`` and exit with status 2."""
        line = " ".join(str(message).split())
        line = re.sub(
            r"Does not validate .* Errors: - (.*) Given value type: .*? Given value: (.*)",
            r"\2 cannot be used: \1",
            line,
        )
        unknown = re.search(r"unrecognized arguments: --([\w.]+)|accept option '([\w.]+)'", line)
        fail(line + (hint(unknown[1] or unknown[2]) if unknown else ""))


def hint(name: str) -> str:
    """Say which setting is most like ``name``, or which there are beside it if none is."""
    known = names(Config)
    likeness = {
        other: max(
            difflib.SequenceMatcher(None, name, other).ratio(),
            difflib.SequenceMatcher(None, name.split(".")[-1], other.split(".")[-1]).ratio(),
        )
        for other in known
    }
    nearest = max(known, key=lambda other: likeness[other])
    if likeness[nearest] > 0.8:
        return f" (the nearest setting is {nearest})"
    group = name.rpartition(".")[0]
    beside = [other for other in known if other.rpartition(".")[0] == group] or known
    return f" (the nearest settings are {', '.join(beside)})"


def names(settings: Any, prefix: str = "") -> list[str]:
    """List the flags, without dashes, for the fields of a dataclass."""
    found = []
    for field in fields(settings):
        name = prefix + field.name
        found += names(field.type, f"{name}.") if is_dataclass(field.type) else [name]
    return found


def fail(message: str, status: int = 2) -> NoReturn:
    """Print one line on standard error and exit."""
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(status)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command in ``arguments``, by default those of the process."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        run(arguments)
    except InputError as error:
        fail(str(error))
    except RunError as error:
        fail(str(error), status=1)
    except MemoryError as error:
        fail(f"not enough memory: {error}")
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        raise SystemExit(130) from None


def run(arguments: Sequence[str]) -> None:
    """Parse and run.

    Raises:
        InputError: a value that cannot be used.
    """
    parser = Parser(prog=COMMAND, description=description)
    commands = parser.add_subcommands(dest="command")
    training = add_settings(Parser(description="Train a network."))
    training.add_argument("--quiet", action="store_true", help="print the last line only")
    commands.add_subcommand("train", training, help="train a network")
    evaluation = add_settings(Parser(description="Evaluate a trained network on the test split."))
    add_checkpoint(evaluation)
    evaluation.add_argument("--json", action="store_true", help="print one JSON object")
{%% if cookiecutter.task == "reinforcement" %%}
    evaluation.add_argument("--gif", type=Path, help="draw one episode into this file, a GIF")
{%% endif %%}
    commands.add_subcommand("evaluate", evaluation, help="evaluate a trained network")
{%% if cookiecutter.task == "language_model" %%}
    generation = add_settings(Parser(description="Continue a text with a trained network."))
    add_checkpoint(generation)
    generation.add_argument("--prompt", default="", help="how the text begins")
    generation.add_argument("--bytes", type=number.PositiveInt, default=400, help="bytes to add")
    generation.add_argument(
        "--temperature",
        type=number.NonNegativeFloat,
        default=0.8,
        help="below 1: likely bytes become likelier; 0: always the likeliest",
    )
    generation.add_argument(
        "--top_k", type=number.PositiveInt, default=256, help="draw from so many likeliest bytes"
    )
    commands.add_subcommand("generate", generation, help="continue a text")
{%% endif %%}

    if {{ '{"evaluate", "generate"} & set(arguments[:1])' if cookiecutter.task == "language_model" else '"evaluate" in arguments[:1]' }} and not {"-h", "--help"} & set(arguments):
        checkpoint = find_checkpoint(checkpoint_argument(arguments))
        resolved = checkpoint.resolve().parents[1] / "config.yaml"
        if not resolved.is_file() and not any(a.startswith("--config") for a in arguments):
            raise InputError(
                f"{checkpoint} is not in a run's folder, where its settings stand in config.yaml: "
                f"name them with --config"
            )
        evaluation.default_config_files = [str(resolved)]
{%% if cookiecutter.task == "language_model" %%}
        generation.default_config_files = [str(resolved)]
{%% endif %%}
    try:
        namespace = parser.parse_args(arguments)
    except (RecursionError, UnicodeError) as error:  # from files that are no YAML
        raise InputError(f"the settings cannot be read: {error}") from error
    options = namespace[namespace.command]
    for field in fields(Config):
        if is_dataclass(field.type) and not isinstance(options[field.name], Namespace):
            inside = ", ".join(names(field.type))
            raise InputError(f"{field.name} is {options[field.name]!r}, not settings: {inside}")
    config = settings(parser.instantiate(namespace)[namespace.command])
    if namespace.command == "train":
        from .train import train

        train(config, options.quiet)
    {{ "elif namespace.command == \"evaluate\"" if cookiecutter.task == "language_model" else "else" }}:
        from .evaluate import evaluate

        evaluate(config, checkpoint, options.json{{ ", options.gif" if cookiecutter.task == "reinforcement" }})
{%% if cookiecutter.task == "language_model" %%}
    else:
        from .generate import generate

        temperature, top_k = float(options.temperature), int(options.top_k)
        generate(config, checkpoint, options.prompt, int(options.bytes), temperature, top_k)
{%% endif %%}


def add_settings(parser: Parser) -> Parser:
    """Add ``--config`` and a flag for every field of ``Config``."""
    parser.add_argument("--config", action="config", help="YAML file with settings")
    parser.add_class_arguments(Config, as_group=False)
    return parser


def add_checkpoint(parser: Parser) -> None:
    """Add ``--checkpoint``."""
    parser.add_argument(
        "--checkpoint",
        help="a checkpoint, or a run folder for its best one; default: the newest run",
    )


def settings(options: Namespace) -> Config:
    """Gather the parsed options that are fields of ``Config``."""
    return plain(Config(**{field.name: options[field.name] for field in fields(Config)}))


def plain(settings: Any) -> Any:
    """Turn the parser's restricted numbers into the int and float that MindSpore compiles.

    Raises:
        InputError: a number is infinite.
    """
    for field in fields(settings):
        value = getattr(settings, field.name)
        if is_dataclass(value):
            plain(value)
        elif isinstance(value, float):
            if math.isinf(value):
                raise InputError(f"{field.name} is {value}: use a finite number")
            setattr(settings, field.name, float(value))
        elif isinstance(value, int) and not isinstance(value, bool):
            setattr(settings, field.name, int(value))
    return settings


def checkpoint_argument(arguments: Sequence[str]) -> str | None:
    """Look up ``--checkpoint`` before the rest is parsed: the run's settings are the defaults."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--checkpoint", nargs="?")
    return parser.parse_known_args(arguments)[0].checkpoint


def find_checkpoint(name: str | None) -> Path:
    """Return the checkpoint called ``name``: a file, a run folder's best one, or the newest run's.

    Raises:
        InputError: there is none.
    """
    if name is None:
        runs = [path.parent for path in Path("runs").glob("*/manifest.json")]
        runs = [run for run in runs if best_of(run).is_file() and started(run)]
        if not runs:
            raise InputError("no trained run in runs/: train first, or name one with --checkpoint")
        return best_of(max(runs, key=started))
    path = best_of(Path(name)) if Path(name).is_dir() else Path(name)
    if not path.is_file():
        raise InputError(f"no checkpoint at {path}")
    return path


def best_of(run: Path) -> Path:
    """Path of a run's best checkpoint."""
    return run / "checkpoints" / "best.ckpt"


def started(run: Path) -> str:
    """Time at which a run started, as its manifest says; empty if it does not."""
    try:
        return str(json.loads((run / "manifest.json").read_text(encoding="utf-8"))["started"])
    except (KeyError, TypeError, ValueError):
        return ""


if __name__ == "__main__":
    main()
