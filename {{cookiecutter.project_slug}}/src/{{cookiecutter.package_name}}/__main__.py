{%% set text = cookiecutter.task == "language_model" %%}
{%% set records = cookiecutter.__dataset == "mindrecord" %%}
{%% set play = cookiecutter.task == "reinforcement" %%}
{%% set predicts = cookiecutter.task in ["classification", "regression"] %%}
{%% if text %%}
"""The command line: ``train``, ``launch``, ``evaluate`` and ``generate``."""
{%% elif play %%}
"""The command line: ``python -m {{ cookiecutter.package_name }} train`` and ``evaluate``."""
{%% else %%}
"""The command line: ``train``, ``launch`` and ``evaluate``."""
{%% endif %%}

import argparse
import sys
from collections.abc import Collection, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from types import NoneType
from typing import Any, NoReturn, get_args

from . import __doc__ as description
from .engine.errors import InputError, RunError
from .engine.stop import stop

COMMAND = "{{ cookiecutter.project_slug }}"
OBEYED = {{ '("dataset.path", "device", "execution", "precision")' if not play else '("device", "execution", "precision")' }}
"""settings of the run that a later command may replace, as what it runs on may have changed"""
ALONE = {"resume": "newest", "skip_non_finite": "true"}
"""what a flag means without a value"""


class Parser(argparse.ArgumentParser):
    """A parser without abbreviations, whose errors are raised."""

    def __init__(self, **options: Any):
        super().__init__(allow_abbrev=False, argument_default=argparse.SUPPRESS, **options)

    def error(self, message: str) -> NoReturn:
        """Raise InputError."""
        raise InputError(message)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command in ``arguments``, by default those of the process."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        run(sys.argv[1:] if arguments is None else arguments)
    except InputError as error:
        fail(str(error))
    except RunError as error:
        fail(str(error), status=1)
    except MemoryError as error:
        fail(f"not enough memory: {error}")
    except ValueError as error:
        if not str(error).startswith("Error shape="):  # what MindSpore says if NumPy has no memory
            raise
        fail(f"not enough memory for an array of {str(error).removeprefix('Error ')}")
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        raise SystemExit(130) from None


def command() -> None:
    """Be the program: take signals from the start, and run what the command line says."""
    stop.watch()
    main()


def fail(message: str, status: int = 2) -> NoReturn:
    """Print one line on standard error and exit."""
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    raise SystemExit(status)


def create_parser() -> Parser:
    """Make the parser of every command, with its settings as flags."""
    from .config import Config{{ ", GenerateConfig" if text }}
{%% if not play %%}
    from .engine.processes import Plan
{%% endif %%}

    about = description.replace("%", "%%")
    parser = Parser(prog=COMMAND, description=f"%(prog)s: {about}")
    commands = parser.add_subparsers(dest="command", required=True)
    training = add_command(commands, "train", "Train a network.")
    training.usage = f"{COMMAND} train [--config FILE] [--quiet] [--NAME VALUE ...]"
    training.add_argument(
        "--config", action="append", metavar="FILE", help="YAML file with settings; flags win"
    )
    training.add_argument("--quiet", action="store_true", help="print the last line only")
    add_settings(training, Config())
{%% if not play %%}
    launching = add_command(commands, "launch", "Train in several processes, called ranks.")
    launching.usage = f"{COMMAND} launch [--NAME VALUE ...] -- train ..."
    add_settings(launching, Plan())
{%% endif %%}
    evaluation = add_command(commands, "evaluate", "Evaluate a trained network on the test split.")
    add_settings(evaluation, Config(), OBEYED)
    evaluation.add_argument("--json", action="store_true", help="print one JSON object")
{%% if play %%}
    evaluation.add_argument("--gif", type=Path, help="draw one episode into this file, a GIF")
{%% endif %%}
{%% if records %%}
    preparing = add_command(commands, "prepare", "Write a table or images as MindRecord shards.")
    preparing.add_argument("source", type=Path, help="CSV file, or folder with a folder a class")
    preparing.add_argument("--path", type=Path, help="of the shards (default: data.mindrecord)")
    preparing.add_argument("--label", help="column of a table (default: the last)")
    preparing.add_argument("--shards", type=int, default=4, help="how many (default: 4)")
{%% endif %%}
    replaying = add_command(commands, "replay", "Find what was first not finite in a run.")
    add_settings(replaying, Config(), ("device",))
    replaying.add_argument(
        "--checkpoint", help="a state, or a run's folder for its newest (default: the newest run)"
    )
    exporting = add_command(commands, "export", "Write a trained network as ONNX and as MINDIR.")
    add_settings(exporting, Config(), ("device",))
    exporting.add_argument("--output", type=Path, help="folder (default: export, in the run's)")
{%% if predicts %%}
    prediction = add_command(commands, "predict", "Say what a trained network makes of new rows.")
    add_settings(prediction, Config(), OBEYED[1:])
    prediction.add_argument("--input", required=True, help="the new rows; - for standard input")
    prediction.add_argument("--output", help="a CSV file (default: standard output)")
{%% endif %%}
{%% if text %%}
    generation = add_command(commands, "generate", "Continue a text with a trained network.")
    add_settings(generation, Config(), ("device", "execution", "seed"))
    add_settings(generation, GenerateConfig())
{%% endif %%}
    for later in (evaluation, exporting{{ ", generation" if text }}{{ ", prediction" if predicts }}):
        later.add_argument(
            "--checkpoint",
            help="a checkpoint, or a run's folder for its best one (default: the newest run's)",
        )
    return parser


def run(arguments: Sequence[str]) -> None:
    """Parse and run.

    Raises:
        InputError: a value that cannot be used.
    """
    from .config import Config, {{ "GenerateConfig, " if text }}read
    from .engine import folder, {{ "processes, " if not play }}settings

{%% if not play %%}
    arguments, of_ranks = divide(arguments)
{%% endif %%}
    options, strays = create_parser().parse_known_args(arguments)
    given = vars(options)
    name, value = unknown_flag(strays)
    values = {name: given[name] for name in settings.names(Config()) if name in given}
{%% if not play %%}
    if options.command == "launch":
        if name:
            raise InputError(settings.unknown(processes.Plan(), name, value))
        if not of_ranks:
            raise InputError("launch starts train: write launch --ranks 2 -- train")
        own = {n: given[n] for n in settings.names(processes.Plan()) if n in given}
        raise SystemExit(processes.launch(of_ranks, settings.read(processes.Plan, (), own)))

{%% endif %%}
    if options.command == "train":
        if name:
            raise InputError(settings.unknown(Config(), name, value))
        files = given.get("config", ())
        config = read(files, values)
        if config.resume:
            in_files = dict(pair for path in files for pair in settings.load(path))
            config = folder.settings_to_resume(config, in_files | values)
        from .train import train

        train(config, "quiet" in given)
        return

{%% if records %%}
    if options.command == "prepare":
        if name:
            raise InputError(f"prepare takes no --{name}: see prepare --help")
        from .prepare import prepare

        path = given.get("path", Path(Config().dataset.path))
        print(prepare(options.source, path, options.shards, given.get("label")))
        return

{%% endif %%}
    if options.command == "replay":
        if name:
            raise InputError(f"replay takes no --{name}: see replay --help")
        place, state = folder.find_run(given.get("checkpoint"))
        from .replay import replay

        print(replay(read([place / "config.yaml"], values), place, state))
        return

    checkpoint = folder.find_checkpoint(given.get("checkpoint"))
    config = read([folder.settings_of(checkpoint)], values)
    known = settings.names(config)
    if name in known:
        used = f"the run was made with {name} {known[name]}"
        raise InputError(f"--{name} is a setting of train; {used}")
    if name:
        raise InputError(f"{options.command} takes no --{name}: see {options.command} --help")
{%% if text %%}
    if options.command == "generate":
        own = settings.names(GenerateConfig())
        request = settings.read(GenerateConfig, (), {n: given[n] for n in own if n in given})
        from .generate import generate

        generate(
            config, checkpoint, request.prompt, request.bytes, request.temperature, request.top_k
        )
        return

{%% endif %%}
    if options.command == "export":
        from .export import export

        print(export(config, checkpoint, given.get("output")))
        return

{%% if predicts %%}
    if options.command == "predict":
        from .predict import predict

        predict(config, checkpoint, given["input"], given.get("output"))
        return

{%% endif %%}
    from .evaluate import evaluate

    evaluate(config, checkpoint, "json" in given{{ ', given.get("gif")' if play }})


{%% if not play %%}
def divide(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Cut off what every rank is to do: what comes with ``launch`` from ``train`` on."""
    if arguments[:1] != ["launch"] or "train" not in arguments:
        return arguments, []
    at = arguments.index("train")
    return arguments[: at - (arguments[at - 1] == "--")], arguments[at:]


{%% endif %%}
def add_command(commands: Any, name: str, purpose: str) -> Parser:
    """Add a command and say what it is for."""
    return commands.add_parser(name, help=purpose, description=purpose)


def add_settings(
    parser: Any, settings: Any, of_the_run: Collection[str] = (), group: str = ""
) -> None:
    """Add a flag for every setting, or only for those in ``of_the_run``, whose default is there."""
    for field, info in settings.__pydantic_fields__.items():
        name, value = group + field, getattr(settings, field)
        if is_dataclass(value):
            title = f"{name}: {value.__doc__}".rstrip(".")
            add_settings(parser.add_argument_group(title), value, of_the_run, f"{name}.")
        elif name in of_the_run or not of_the_run:
            default = "as in the run" if of_the_run else value
            text = f"{info.description} (default: {default})".removesuffix(" (default: None)")
            kind = kind_of(info.annotation)
            alone = {"nargs": "?", "const": ALONE[name]} if name in ALONE else {}
            parser.add_argument(f"--{name}", metavar=kind, help=text.replace("%", "%%"), **alone)


def kind_of(annotation: Any) -> str:
    """Say in a word what a setting takes: the type, or the values that there are."""
    if isinstance(annotation, type):
        return annotation.__name__
    kinds = get_args(annotation)
    if hasattr(annotation, "__metadata__"):  # what Annotated adds to a type
        kinds = kinds[:1]
    return "|".join(kind_of(kind) for kind in kinds if kind is not NoneType) or str(annotation)


def unknown_flag(strays: Sequence[str]) -> tuple[str, str]:
    """Return name and value of the first flag that the parser does not know; empty without one.

    Raises:
        InputError: a word that belongs to no flag.
    """
    first, second = [*strays, "", ""][:2]
    name, _, value = first.lstrip("-").partition("=")
    if first and not first.startswith("--"):
        raise InputError(f"{first!r} belongs to no setting: write it as --NAME {first}")
    return name, value or second


if __name__ == "__main__":
    command()
