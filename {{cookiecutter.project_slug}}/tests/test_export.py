"""The network outside of the project."""

import subprocess
import sys

import numpy as np
from mindspore import Tensor

from {{ cookiecutter.package_name }}.engine import checkpoint, portable
from {{ cookiecutter.package_name }}.export import export
from {{ cookiecutter.package_name }}.task import create_exported, create_task


def test_exported_forms_are_the_network(config, tmp_path) -> None:
    """Oracle: the network itself, for other numbers of rows than that of the export.

    The script that is written beside runs in a process that has neither project nor MindSpore.
    """
    task = create_task(config)
    if task.kept:
        (tmp_path / "data.json").write_text(task.kept, encoding="utf-8")
    path = tmp_path / "checkpoints" / "best.ckpt"
    checkpoint.save(task.network, path)
    folder = export(config, path)
    network, part, row = create_exported(config, task.kept)
    checkpoint.load(network, path)
    rows = np.stack([np.roll(row, i) for i in range(5)])
    expected = part.set_train(False)(Tensor(rows)).asnumpy()
    atol = 1e-5 * np.abs(expected).max()
    for form in portable.MINDIR, portable.ONNX:
        for some in rows, rows[:1]:
            found = form.run(folder / form.name, some)
            np.testing.assert_allclose(found, expected[: len(some)], rtol=0, atol=atol)
    np.save(tmp_path / "rows.npy", rows)
    script = [sys.executable, str(folder / "predict.py"), str(tmp_path / "rows.npy")]
    subprocess.run(script, check=True, capture_output=True, cwd=tmp_path)
    found = np.load(folder / "output.npy")
    unit, mean = (task_value(task.kept, name) for name in ("label_unit", "label_mean"))
    np.testing.assert_allclose(found, expected * unit + mean, rtol=0, atol=atol * unit)


def task_value(kept: str | None, name: str) -> float:
    """Take a number from what a run kept of its data."""
    import json

    return json.loads(kept)[name] if kept else float(name == "label_unit")
