"""The template's table of choices, and a way to render."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cookiecutter.main import cookiecutter

from . import ROOT


@pytest.fixture(scope="session", autouse=True)
def cores_of_its_own() -> None:
    """Share the cores out among the workers: MindSpore's threads spin while they wait.

    Two workers with a core each took three quarters of the time they take with two cores together.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")  # gw0, gw1, ...
    if worker and hasattr(os, "sched_setaffinity"):
        count = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        if share := sorted(os.sched_getaffinity(0))[int(worker[2:]) :: count]:
            os.sched_setaffinity(0, share)


@pytest.fixture(scope="session")
def render(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that renders answers into a fresh folder and returns the project's path."""

    def render(template: Path = ROOT, **answers: object) -> Path:
        output = tmp_path_factory.mktemp("render")
        return Path(
            cookiecutter(
                str(template),
                no_input=True,
                extra_context=answers,
                output_dir=str(output),
                default_config=True,
            )
        )

    return render


@pytest.fixture
def table() -> dict:
    """Return ``cookiecutter.json``."""
    return json.loads((ROOT / "cookiecutter.json").read_text(encoding="utf-8"))
