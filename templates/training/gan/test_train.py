{%% set points = cookiecutter.__dataset == "ring" %%}
{%% set metric = "modes" if points else "frechet" %%}
{%% set quick = cookiecutter.optimizer in ("adam", "adamw") %%}
"""A whole run, from the command line to what it leaves behind."""

import json
import re
from dataclasses import replace
from pathlib import Path

import mindspore as ms
import numpy as np
import yaml
from causes import needs_equal_passes

from {{ cookiecutter.package_name }} import train as training
from {{ cookiecutter.package_name }}.__main__ import main
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.task import create_task

{%% if points %%}
BOUND = {{ 5 if quick else 3 }}
"""modes, of 8, that a quick run must cover; fresh weights cover 1"""
GOOD_SHARE = 0.2
"""of the samples; with fresh weights 0.04 to 0.08"""
{%% else %%}
BOUND = 0.7
"""Frechet distance of the test, as a share of what fresh weights have"""
{%% endif %%}


def lines(run: Path) -> list[dict]:
    """What a run wrote into metrics.jsonl."""
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def short(config: Config, run_dir: Path, **changes) -> list[dict]:
    """Train for two epochs of two steps and return the metrics."""
    rows = 2 * config.batch_size
    changes = {"epochs": 2, "train_rows": rows, "run_dir": str(run_dir), **changes}
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
    main(["train", *flags, f"--picture_every={config.epochs // 2}"])
    assert compilations() - before == 2, "one graph for training, one for evaluation"
    printed = capsys.readouterr().out.splitlines()
    (run,) = [path.parent for path in Path("runs").glob("*/metrics.jsonl")]

    records = lines(run)
    test = records[-1]
    assert test["split"] == "test"
{%% if points %%}
    assert test["modes"] >= BOUND, "data or parts of your own have a bound of their own"
    assert test["good_share"] >= GOOD_SHARE
{%% else %%}
    assert test["frechet"] <= BOUND * create_task(config).evaluate("test")["frechet"]
{%% endif %%}
    assert [r["split"] for r in records] == ["train", "validation"] * config.epochs + ["test"]
    steps = create_task(config).steps_per_epoch
    assert all(r["step"] == r["epoch"] * steps for r in records)
    assert records[0]["epoch"] == 1
    assert records[-1]["epoch"] == config.epochs

    assert printed[-1].startswith(f"{run}: test loss {test['loss']:.4g}, ")
    resolved = yaml.safe_load((run / "config.yaml").read_text())
    assert resolved["epochs"] == config.epochs
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["seed"] == config.seed
    assert manifest["mindspore"] == ms.__version__
    pictures = [*(run / "samples").iterdir(), run / "samples.png", run / "curves.png"]
    assert len(pictures) == 4
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    names = {path.name for path in (run / "checkpoints").iterdir()}
    always = {"best.ckpt", "best.safetensors", "last.ckpt", "last.safetensors", "state.ckpt"}
    assert always <= names <= always | {"state.1.ckpt"}

    picture = (run / "samples.png").read_bytes()
    (run / "samples.png").unlink()
    main(["evaluate", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found == {key: test[key] for key in found}
    assert (run / "samples.png").read_bytes() == picture
    main(["evaluate", "--checkpoint", str(run)])
    table = capsys.readouterr().out
    assert re.search(r"{{ metric }}\W+" + f"{found['{{ metric }}']:.6g}", table)
    assert table.replace("\n", "").endswith(str((run / "samples.png").resolve()))


def test_seed_gives_the_same_bits(config: Config, tmp_path: Path):
    """A second run has equal numbers, also with more pictures; another seed's losses differ."""
    needs_equal_passes(config)
    first = short(config, tmp_path / "1")
    assert short(config, tmp_path / "2", picture_every=1) == first
    other = short(config, tmp_path / "3", seed=config.seed + 1)
    assert all(a["loss"] != b["loss"] for a, b in zip(first, other))


def test_execution_does_not_change_the_losses(config: Config, tmp_path: Path):
    """graph, pynative_jit and pynative agree to 1e-5."""
    needs_equal_passes(config)
    runs = [
        short(config, tmp_path / execution, execution=execution)
        for execution in ("graph", "pynative_jit", "pynative")
    ]
    for records in runs[1:]:
        for record, expected in zip(records, runs[0]):
            np.testing.assert_allclose(record["loss"], expected["loss"], rtol=1e-5, atol=1e-6)
