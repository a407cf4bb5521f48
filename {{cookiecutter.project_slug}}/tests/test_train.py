"""A whole run, from the command line to what it leaves behind."""

import json
import re
from pathlib import Path

import mindspore as ms
import yaml
from goal import reached
from mindspore.graph.api import ms_compile_cache

from {{ cookiecutter.package_name }}.__main__ import main
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.task import create_task


def test_run(config: Config, flags: list[str], tmp_path: Path, capsys, monkeypatch):
    """A run reaches its goal, leaves every file, and ``evaluate`` finds the same numbers."""
    monkeypatch.chdir(tmp_path)
    before = len(ms_compile_cache)
    main(["train", *flags])
    assert len(ms_compile_cache) - before == 2, "one graph for training, one for evaluation"
    printed = capsys.readouterr().out.splitlines()
    (run,) = [path.parent for path in Path("runs").glob("*/metrics.jsonl")]

    records = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    lines = [record for record in records if "seconds" in record]
    assert all(r["step"] % Config().log_every == 0 and r["gradient_norm"] > 0 for r in lines)
    records = [record for record in records if "seconds" not in record]
    task, test = create_task(config), records[-1]
    assert reached(test, task), "data or parts of your own have a goal of their own"
    length = task.steps_per_epoch
    end, every = config.epochs * length, config.validate_every or length
    judged = {*range(every, end, every), end}
    epochs = range(length, end + 1, length)
    for split, expected in (("train", [*epochs]), ("validation", sorted(judged)), ("test", [end])):
        assert [r["step"] for r in records if r["split"] == split] == expected

    resolved = yaml.safe_load((run / "config.yaml").read_text())
    assert resolved["epochs"] == config.epochs
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["seed"] == config.seed
    assert manifest["mindspore"] == ms.__version__
    for picture in filter(None, ("curves.png", task.picture)):
        assert (run / picture).read_bytes().startswith(b"\x89PNG")
    names = {path.name for path in (run / "checkpoints").iterdir()}
    always = {"best.ckpt", "best.safetensors", "last.ckpt", "last.safetensors", "state.ckpt"}
    assert always <= names
    assert names <= always | {"state.1.ckpt"}

    main(["evaluate", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found == {key: test[key] for key in found}
    name, value = next(iter(found.items()))
    assert printed[-1].startswith(f"{run}: test {name} {value:.4g}, ")
    main(["evaluate", "--checkpoint", str(run)])
    table = capsys.readouterr().out
    for name, value in found.items():
        assert re.search(rf"{name}\W+{re.escape(f'{value:.6g}')}", table)
