"""The run folder: resolved settings, manifest, metrics, curves and checkpoints."""

import json
import math
import platform
import subprocess
from collections import defaultdict
from dataclasses import asdict
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import yaml
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..config import Config
from .errors import InputError

PACKAGES = ("mindspore", "numpy")
COLORS = {"train": "tab:blue", "validation": "tab:orange", "test": "tab:green"}


class Run:
    """A run folder, by default ``runs/<time>``.

    It holds ``config.yaml``, ``manifest.json``, ``metrics.jsonl``, ``curves.png`` and
    ``checkpoints/``.

    Raises:
        InputError: the folder holds a run already.
    """

    def __init__(self, config: Config):
        try:
            self.folder = Path(config.run_dir) if config.run_dir else new_folder(Path("runs"))
            if (self.folder / "metrics.jsonl").exists():
                raise InputError(f"run_dir {config.run_dir!r} holds a run: name another folder")
            self.checkpoints.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the run's folder cannot be made: {error}") from error
        self.records: list[dict] = []
        (self.folder / "config.yaml").write_text(
            yaml.safe_dump(asdict(config), sort_keys=False), encoding="utf-8"
        )
        manifest = {
            "started": datetime.now().astimezone().isoformat(),
            "seed": config.seed,
            "git_commit": git_commit(),
            "python": platform.python_version(),
            "platform": platform.platform(),
            **{package: version(package) for package in PACKAGES},
        }
        (self.folder / "manifest.json").write_text(
            json.dumps(manifest, indent=2) + "\n", encoding="utf-8"
        )

    @property
    def checkpoints(self) -> Path:
        """Folder of the weights."""
        return self.folder / "checkpoints"

    def log(self, step: int, epoch: int, split: str, metrics: dict[str, float]) -> None:
        """Append one line to ``metrics.jsonl``; ``step`` counts updates of the weights."""
        record = {"step": step, "epoch": epoch, "split": split, **metrics}
        self.records.append(record)
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(to_json(record) + "\n")

    def summary(self, split: str, metrics: dict[str, float]) -> str:
        """Say in one line where the run is and what it reached."""
        return f"{self.folder}: {split} {describe(metrics)}"

    def draw_curves(self) -> None:
        """Draw every metric over the steps into ``curves.png``."""
        from matplotlib.figure import Figure  # here, as it takes half a second to load

        names = list(set().union(*self.records) - {"step", "epoch", "split"})
        figure = Figure(figsize=(5 * len(names), 4), layout="constrained")
        for axes, name in zip(figure.subplots(1, len(names), squeeze=False)[0], sorted(names)):
            curves = defaultdict(list)
            for record in self.records:
                if name in record:
                    curves[record["split"]].append((record["step"], record[name]))
            for split, points in curves.items():
                marker = "o" if len(points) == 1 else ""
                axes.plot(*zip(*points), COLORS[split], label=split, marker=marker)
            axes.set(xlabel="step", ylabel=name)
            axes.legend()
        figure.savefig(self.folder / "curves.png", dpi=120)


class Report:
    """Progress of the epochs: a bar on a terminal, a line an epoch elsewhere, nothing if quiet."""

    def __init__(self, epochs: int, quiet: bool):
        self.quiet = quiet
        self.width = len(str(epochs))
        self.epochs = epochs
        self.progress = Progress(
            TextColumn("epoch"),
            MofNCompleteColumn(),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            disable=quiet or not Console().is_terminal,
        )
        self.bar = self.progress.add_task("compiling", total=epochs)

    def __enter__(self) -> "Report":
        self.progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.progress.stop()

    def __call__(self, epoch: int, **splits: dict[str, float]) -> None:
        """Show how far it is at the end of ``epoch``, by the metrics of each split."""
        line = ", ".join(f"{split} {describe(metrics)}" for split, metrics in splits.items())
        if not self.progress.disable:
            self.progress.update(self.bar, completed=epoch, description=line)
        elif not self.quiet:
            print(f"epoch {epoch:{self.width}}/{self.epochs}: {line}", flush=True)


def to_json(record: dict) -> str:
    """Write a record as one line; NaN and infinity, which JSON does not have, become null."""
    return json.dumps(
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in record.items()
        }
    )


def describe(metrics: dict[str, float]) -> str:
    """Format metrics for a line of text."""
    return ", ".join(f"{name} {value:.4g}" for name, value in metrics.items())


def new_folder(parent: Path) -> Path:
    """Make a folder in ``parent``, named after the time and numbered where that is taken."""
    name = datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    for i in range(1, 1000):
        folder = parent / (name if i == 1 else f"{name}_{i}")
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            continue
    raise FileExistsError(f"{parent / name} and 998 more are taken")


def git_commit() -> str | None:
    """Return the working folder's commit, with ``+changes`` if there are any; None without git."""
    try:
        commit = git("rev-parse", "HEAD")
        return commit + ("+changes" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def git(*arguments: str) -> str:
    """Run git and return what it prints."""
    command = ["git", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def find_checkpoint(name: str | None = None, runs: str = "runs") -> Path:
    """Return the checkpoint called ``name``: a file, a run folder's best one, or the newest run's.

    Raises:
        InputError: there is none.
    """
    if name is None:
        folder = newest(Path(runs))
        if folder is None:
            raise InputError(
                f"no trained run in {runs}/: train first, or name one with --checkpoint"
            )
        return best_of(folder)
    path = best_of(Path(name)) if Path(name).is_dir() else Path(name)
    if not path.is_file():
        raise InputError(f"no checkpoint at {path}")
    return path


def newest(runs: Path) -> Path | None:
    """Return the folder in ``runs`` of the run with weights that started last; None without one."""
    begun = [(started(path), path.parent) for path in runs.glob("*/manifest.json")]
    trained = [(time, folder) for time, folder in begun if time and best_of(folder).is_file()]
    return max(trained)[1] if trained else None


def best_of(run: Path) -> Path:
    """Path of a run's best checkpoint."""
    return run / "checkpoints" / "best.ckpt"


def settings_of(checkpoint: Path) -> Path:
    """Path of the settings of the run that wrote ``checkpoint``.

    Raises:
        InputError: they are not beside it.
    """
    path = checkpoint.resolve().parent.parent / "config.yaml"
    if not path.is_file():
        raise InputError(
            f"{checkpoint} is not in a run's folder, where its settings stand in config.yaml: "
            f"name one that is"
        )
    return path


def started(manifest: Path) -> datetime | None:
    """Time at which a run started, with its time zone, as its manifest says; None if it does not."""
    try:
        time = json.loads(manifest.read_text(encoding="utf-8"))["started"]
        return datetime.fromisoformat(time).astimezone()
    except (KeyError, OSError, TypeError, ValueError):
        return None
