"""What a second look at a run finds."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mindspore import nn, ops

from {{ cookiecutter.package_name }} import task as tasks
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine.errors import RunError
from {{ cookiecutter.package_name }}.replay import is_finite, replay, rows_of
from {{ cookiecutter.package_name }}.train import train


def test_a_run_without_a_fault(short: Config) -> None:
    """Every step after the newest state, and one epoch more, is finite."""
    short = replace(short, epochs=1, max_steps=1)
    folder = train(short, quiet=True).folder
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert replay(short, folder).endswith("all is finite")
    assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_a_learning_rate_that_is_too_large(short: Config) -> None:
    """The first update is said after which a weight, or what is computed of it, is infinite."""
    short.optimizer.learning_rate = 1e38
    with pytest.raises(RunError, match=r"replay --checkpoint"):
        train(short, quiet=True)
    assert short.run_dir
    found = replay(short, Path(short.run_dir))
    assert found.startswith("update ") and found.endswith("the first that is not finite")


def test_a_layer_that_makes_nan_is_named(short: Config, monkeypatch, tmp_path) -> None:
    """The logarithm of what may be negative stands in the first dense layer of the network."""
    create_network = tasks.create_network

    def create_broken(*parts: Any) -> nn.Cell:
        network = create_network(*parts)
        layer = next(x for _, x in network.cells_and_names() if isinstance(x, nn.Dense))

        class Broken(type(layer)):  # type: ignore[misc]
            def construct(self, x):
                return ops.log(super().construct(x))

        layer.__class__ = Broken
        return network

    monkeypatch.setattr(tasks, "create_network", create_broken)
    found = replay(replace(short, run_dir=None), tmp_path)
    assert found.startswith("update 1, step 1 of epoch 1: the output of layer '")
    assert "(Broken)" in found


def test_rows_are_named() -> None:
    """By hand: of four rows the second and the last have a number that is none."""
    from mindspore import Tensor

    values = np.zeros((4, 2, 3), np.float32)
    values[1, 0, 2], values[3, 1, 0] = np.nan, np.inf
    assert rows_of(Tensor(values)) == " in rows 1, 3 of the batch"
    assert rows_of(Tensor(values * np.nan)) == " in all rows"
    assert not is_finite((Tensor(values[0]), Tensor(values[1])))
    assert is_finite((Tensor(values[0]), 3, None))
