"""A trained network for use without the project: as ONNX and as MindSpore's MINDIR."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from mindspore import Tensor

from .config import Config
from .engine import checkpoint, portable, runtime
from .engine.errors import RunError
from .engine.files import write
from .engine.folder import read_kept
from .task import create_exported

TOLERANCE = 1e-5
"""what an output may differ by, in units of the largest"""
SCRIPT = '''"""Predict without the project: python predict.py ROWS.npy; it needs onnxruntime."""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime

folder = Path(__file__).parent
about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
rows = np.load(sys.argv[1]).astype(about["dtype"])  # (rows, *shape), prepared as about.json says
session = onnxruntime.InferenceSession(str(folder / "network.onnx"))
output = session.run(None, {"data": rows})[0]
np.save(folder / "output.npy", output * about.get("label_unit", 1) + about.get("label_mean", 0))
'''


def export(config: Config, path: Path, output: Path | None = None) -> Path:
    """Write the network with the weights in ``path`` into a folder, in two forms, and check them.

    ``network.onnx`` and ``network.mindir`` take any number of rows and give what the network gives,
    logits for classes. ``about.json`` says how rows are prepared and what the output means;
    ``predict.py`` runs the first form and needs nothing of this project.

    Args:
        config: settings of the run that made the weights.
        path: the checkpoint, in its run's folder.
        output: the folder; by default ``export`` in the run's.

    Raises:
        InputError: the weights cannot be used, or a package is missing.
        RunError: a file cannot be written, or a form does not give what the network gives.
    """
    runtime.start(config.device, "graph", config.seed)
    run = path.resolve().parents[1]
    kept = read_kept(run)
    network, part, row = create_exported(config, kept)
    checkpoint.load(network, path)
    rows = np.stack([np.roll(row, i) for i in range(portable.batch_for(network, row.shape))])
    expected = part.set_train(False)(Tensor(rows)).asnumpy()
    network, part, _ = create_exported(config, kept)  # anew: the other may be compiled
    checkpoint.load(network, path)
    portable.make_portable(part.set_train(False))
    folder = output or run / "export"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        about = {"shape": row.shape, "dtype": str(row.dtype), **describe(kept)}
        write(folder / "about.json", json.dumps(about, indent=1))
        write(folder / "predict.py", SCRIPT)
        with tempfile.TemporaryDirectory() as place:  # MindSpore refuses many a path
            for form in portable.MINDIR, portable.ONNX:
                file = Path(place) / form.name
                form.write(part, rows, file)
                compare(form.run(file, rows[:3]), expected, form.name)
                shutil.copyfile(file, folder / form.name)
    except OSError as error:
        raise RunError(f"{folder} cannot be written: {error}") from error
    return folder


def describe(kept: str | None) -> dict[str, Any]:
    """Take from what a run kept of its data how rows are prepared and what an output means."""
    record = json.loads(kept) if kept else {}
    names = "outputs", "label_unit", "label_mean", "preparation"
    return {name: record[name] for name in names if name in record}


def compare(found: np.ndarray, expected: np.ndarray, name: str) -> None:
    """Say how far the outputs for some rows are from the network's own.

    Raises:
        RunError: they are not equal.
    """
    apart = float(np.abs(found - expected[: len(found)]).max() / np.abs(expected).max())
    if not apart <= TOLERANCE:
        raise RunError(f"{name} gives other outputs than the network: they are {apart:.2g} apart")
    print(f"{name}: equal to the network's outputs within {apart:.1g}")
