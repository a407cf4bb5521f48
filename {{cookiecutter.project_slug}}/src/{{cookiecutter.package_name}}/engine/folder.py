"""Run folders: how one is made, what is noted in it, and which is meant."""

import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

from ..config import Config, read
from .errors import InputError
from .files import hold, release, states, write
from .settings import names

PACKAGES = ("mindspore", "numpy")
MAY_CHANGE = (
    *("device", "keep_states", "max_bad_steps", "patience", "resume", "run_dir", "save_every"),
    *("save_every_updates", "skip_non_finite", "steps_per_call"),
)
"""settings that a resumed run may change; without a schedule it may also be made longer"""


def open_folder(config: Config, kept: str | None) -> Path:
    """Make the run's folder, or open that of the run that is resumed, and note what is run.

    It is held from then on, until it is released.

    Raises:
        InputError: the folder holds another run, cannot be made, or the data changed.
    """
    try:
        folder = Path(config.run_dir) if config.run_dir else new_folder(Path("runs"))
        folder.mkdir(parents=True, exist_ok=True)
        hold(folder)
    except OSError as error:
        raise InputError(f"the run's folder cannot be made: {error}") from error
    try:
        traces = [folder / "metrics.jsonl", *(folder / "checkpoints").glob("state*.ckpt")]
        if not config.resume and any(trace.exists() for trace in traces):
            raise InputError(f"run_dir {config.run_dir!r} holds a run: name another folder")
        (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        before = read_kept(folder) if config.resume else None
        if before is not None and before != kept:
            raise InputError(f"the data are not those that the run in {folder} began with")
        if kept is not None:
            write(folder / "data.json", kept)
        if not (config.resume and (folder / "config.yaml").exists()):
            note_settings(config, folder)
        if not (folder / "manifest.json").exists():
            write(folder / "manifest.json", json.dumps(manifest(config.seed, kept), indent=2))
    except BaseException as error:
        release(folder)
        if isinstance(error, OSError):
            raise InputError(f"the run's folder cannot be made: {error}") from error
        raise
    return folder


def note_settings(config: Config, folder: Path) -> None:
    """Write the settings of a run into its folder."""
    settings = asdict(config) | {"resume": None}
    write(folder / "config.yaml", yaml.safe_dump(settings, sort_keys=False, allow_unicode=True))


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


def manifest(seed: int, kept: str | None) -> dict[str, Any]:
    """Say when, from what and on what a run is made."""
    data = json.loads(kept) if kept else {}
    data = {name: data[name] for name in ("source", "rows", "sha256") if name in data}
    return {
        "started": datetime.now().astimezone().isoformat(),
        "seed": seed,
        "git_commit": git_commit(),
        **({"data": data} if data else {}),
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{package: version(package) for package in PACKAGES},
    }


def git_commit() -> str | None:
    """Return the working folder's commit, with ``+changes`` if there are any; None without git."""
    try:
        commit = git("rev-parse", "HEAD").decode("ascii")
        return commit + ("+changes" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def git(*arguments: str) -> bytes:
    """Run git and return what it prints; a file's name need not be text."""
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout.strip()


def read_kept(folder: Path) -> str | None:
    """Return what a run kept of its data, as JSON; None if it kept nothing.

    Raises:
        InputError: it cannot be read.
    """
    path = folder / "data.json"
    try:
        return path.read_text(encoding="utf-8").rstrip("\n") if path.exists() else None
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


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


def find_run(name: str | None = None, runs: str = "runs") -> tuple[Path, Path | None]:
    """Return a run's folder, and one of its states if ``name`` is that; by default the newest run.

    Raises:
        InputError: there is none.
    """
    state = Path(name) if name and not Path(name).is_dir() else None
    run = state.resolve().parents[1] if state else Path(name) if name else newest(Path(runs), False)
    if run is None or not (run / "config.yaml").is_file():
        raise InputError(f"there is no run in {name or f'{runs}/'}: name one with --checkpoint")
    return run, state


def newest(runs: Path, trained: bool = True) -> Path | None:
    """Return the folder in ``runs`` of the run that started last, with weights or any; or None."""
    begun = [(started(path), path.parent) for path in runs.glob("*/manifest.json")]
    found = [(time, run) for time, run in begun if time and (best_of(run).is_file() or not trained)]
    return max(found)[1] if found else None


def settings_to_resume(config: Config, values: Mapping[str, Any]) -> Config:
    """Return the settings of the run that ``config`` asks to resume, with what may change changed.

    Args:
        config: settings with ``resume``, and ``run_dir`` unless the newest run is meant.
        values: the settings that were given by name.

    Raises:
        InputError: there is no such run, or a setting was given that differs from the run's.
    """
    if config.resume in ("newest", "auto"):
        run = Path(config.run_dir) if config.run_dir else newest(Path("runs"), trained=False)
    else:
        run = Path(str(config.resume)).resolve().parent.parent
    if run is None or not (run / "config.yaml").is_file():
        if config.resume == "auto":
            return config
        raise InputError(f"there is no run to resume in {run or 'runs/'}: --resume auto begins one")
    kept = read([run / "config.yaml"])
    longer = not hasattr(config, "schedule") and config.epochs > kept.epochs
    may_change = {*MAY_CHANGE, *(("epochs",) if longer else ())}
    for name, value in names(config).items():
        before = names(kept)[name]
        if name in values and value != before and name not in may_change:
            raise InputError(
                f"{name} is {value}, and the run in {run} was made with {before}: leave it out, or "
                f"begin a new run"
            )
    changed = [(name, value) for name, value in values.items() if name in may_change]
    place = [("run_dir", str(run)), ("resume", config.resume)]
    return read([run / "config.yaml"], [*changed, *place])


def goes_on(config: Config) -> bool:
    """Whether a run begins from a state: one that was named, or one in its folder."""
    if config.resume in ("newest", "auto"):
        return config.run_dir is not None and bool(states(Path(config.run_dir) / "checkpoints"))
    return config.resume is not None


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
    """Time at which a run started, with its time zone, as its manifest says, or None."""
    try:
        time = json.loads(manifest.read_text(encoding="utf-8"))["started"]
        return datetime.fromisoformat(time).astimezone()
    except (KeyError, OSError, TypeError, ValueError):
        return None
