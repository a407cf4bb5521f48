"""A whole run, from the command line to what it leaves behind."""

import json
import re
from dataclasses import replace
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
import yaml
from causes import needs_equal_passes

from {{ cookiecutter.package_name }} import train as training
from {{ cookiecutter.package_name }}.__main__ import main
from {{ cookiecutter.package_name }}.config import Config

BOUND = 75
"""return that a quick run must reach in the test; without training CartPole gives 9 to 25"""


def lines(run: Path) -> list[dict]:
    """What a run wrote into metrics.jsonl."""
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def short(config: Config, run_dir: Path, **changes) -> list[dict]:
    """Train on two short rollouts of a few copies and return the metrics."""
    micro = config.accumulation_steps
    dataset = replace(config.dataset, environments=4, rollout_steps=32 * micro)
    sizes = {"epochs": 2, "batch_size": 64 * micro, "passes": 1, "evaluation_episodes": 4}
    changes = {"dataset": dataset, **sizes, "run_dir": str(run_dir), **changes}
    training.train(replace(config, **changes), quiet=True)
    return lines(run_dir)


def compilations() -> int:
    """Count the graphs that MindSpore has compiled in this process."""
    from mindspore.graph.api import ms_compile_cache

    return len(ms_compile_cache)


def test_run(config: Config, flags: list[str], tmp_path: Path, capsys, monkeypatch):
    """A run reaches its bound, leaves every file, and ``evaluate`` finds the same numbers."""
    monkeypatch.chdir(tmp_path)
    before = compilations()
    main(["train", *flags])
    assert compilations() - before == 2, "one graph for acting, one for learning"
    printed = capsys.readouterr().out.splitlines()
    (run,) = [path.parent for path in Path("runs").glob("*/metrics.jsonl")]

    records = lines(run)
    test = records[-1]
    assert test["split"] == "test"
    assert test["return_mean"] >= BOUND, "data or parts of your own have a bound of their own"
    rows = config.dataset.environments * config.dataset.rollout_steps
    updates = config.passes * (rows // config.batch_size)
    assert all(r["step"] == r["epoch"] * updates for r in records)
    epochs = {
        split: [r["epoch"] for r in records if r["split"] == split]
        for split in ("train", "validation", "test")
    }
    assert epochs["train"] == list(range(1, config.epochs + 1))
    validated = {*range(0, config.epochs, config.validation_every), config.epochs} - {0}
    assert epochs["validation"] == sorted(validated)
    assert epochs["test"] == [config.epochs]
    returns = [r["return_mean"] for r in records if r["split"] == "train"]
    assert returns[-1] > returns[0]

    assert printed[-1].startswith(f"{run}: test return_mean {test['return_mean']:.4g}, ")
    resolved = yaml.safe_load((run / "config.yaml").read_text())
    assert resolved["epochs"] == config.epochs
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["seed"] == config.seed
    assert manifest["mindspore"] == ms.__version__
    assert (run / "curves.png").read_bytes().startswith(b"\x89PNG")
    names = {path.name for path in (run / "checkpoints").iterdir()}
    always = {"best.ckpt", "best.safetensors", "last.ckpt", "last.safetensors", "state.ckpt"}
    assert always <= names <= always | {"state.1.ckpt"}

    main(["evaluate", "--json", "--gif=episode.gif"])
    found = json.loads(capsys.readouterr().out)
    assert found == {key: test[key] for key in found}
    assert Path("episode.gif").read_bytes().startswith(b"GIF89a")
    main(["evaluate", "--checkpoint", str(run)])
    pattern = r"return_mean\W+" + f"{found['return_mean']:.6g}"
    assert re.search(pattern, capsys.readouterr().out)


def test_seed_gives_the_same_bits(config: Config, tmp_path: Path):
    """Every number of a second run is equal; with another seed none of the losses is."""
    needs_equal_passes(config)
    first = short(config, tmp_path / "1")
    assert short(config, tmp_path / "2") == first
    other = short(config, tmp_path / "3", seed=config.seed + 1)
    trained = [(a["loss"], b["loss"]) for a, b in zip(first, other) if a["split"] == "train"]
    assert all(a != b for a, b in trained)


def test_execution_does_not_change_the_losses(config: Config, tmp_path: Path):
    """graph, pynative_jit and pynative agree to 1e-5, and meet the same episodes."""
    needs_equal_passes(config)
    runs = [
        short(config, tmp_path / execution, execution=execution)
        for execution in ("graph", "pynative_jit", "pynative")
    ]
    for records in runs[1:]:
        for record, expected in zip(records, runs[0]):
            assert record.keys() == expected.keys()
            for key in record.keys() - {"split"}:
                assert record[key] == pytest.approx(expected[key], rel=1e-5, abs=1e-6)


def test_continuous_actions(config: Config, tmp_path: Path):
    """Pendulum trains: its 200 steps a turn are a return of some -1200 at first, and finite."""
    dataset = replace(config.dataset, environment="Pendulum-v1", environments=4, rollout_steps=250)
    changes = {"dataset": dataset, "batch_size": 100 * config.accumulation_steps, "passes": 2}
    records = short(config, tmp_path, **changes)
    assert all(np.isfinite(record["loss"]) for record in records if record["split"] == "train")
    assert -2000 < records[-1]["return_mean"] < -100
