"""A researcher's first edits to a render: what must fail by name, and that all else passes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

NETWORK = '''"""A network of one's own."""

import math

from mindspore import Tensor, nn


class Deep(nn.Cell):
    """Dense layers with batch normalisation and dropout between them."""

    def __init__(self, shape: tuple[int, ...], outputs: int, width: int = 128, depth: int = 2):
        super().__init__()
        layers: list[nn.Cell] = []
        widths = [math.prod(shape), *[width] * (depth + 2)]
        for n, m in zip(widths, widths[1:]):
            layers += [nn.Dense(n, m), nn.BatchNorm1d(m), nn.ReLU(), nn.Dropout(p=0.1)]
        self.body = nn.SequentialCell(layers)
        self.head = nn.Dense(width, outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, *shape) to (batch, outputs)."""
        return self.head(self.body(data.reshape((data.shape[0], -1))))
'''
LOSS = '''"""A loss of one's own."""

from mindspore import Tensor, nn, ops


class Power(nn.LossBase):
    """A power of the absolute error."""

    def __init__(self, power: float, reduction: str = "mean"):
        super().__init__(reduction)
        self.power = power

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, outputs) with labels (batch, outputs)."""
        return self.get_loss(ops.pow(ops.abs(logits - labels) + 1e-6, self.power))
'''
POLICY = '''

def halved(grad_fn):
    """Halve every gradient."""

    def changed(*batch):
        value, grads = grad_fn(*batch)
        return value, tuple([g / 2 for g in grads])

    return changed
'''
DATA = '''"""Arrays of one's own."""

import numpy as np

from .config import Config
from .engine.kept import Kept
from .engine.rows import Dataset, Split


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Return three splits."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 7)).astype(np.float32)
    y = x[:, :1] * 2 - x[:, 1:2] + 1
    splits = [Split(x[i : i + 300], y[i : i + 300]) for i in (0, 300, 600)]
    return Dataset(*splits, outputs=1)
'''
ADAM = "Adam(\n        network.trainable_params(),"
GROUPS = """Adam(
        [
            {"params": network.hidden.trainable_params(), "lr": 1e-4},
            {"params": network.head.trainable_params()},
        ],"""
CLIP = "clip_by_global_norm"
CHAIN = "test_train_step.py::test_step_is_the_chain_by_hand"
RUN = "test_train.py::test_run"
"""a whole run, whose bound is that of the parts and the data that the project came with"""

# what is edited: a new text of a file, a text to add, or (old, new) parts of it; what then fails
EDITS: dict[str, tuple[dict[str, object], set[str]]] = {
    "network": (
        {
            "network.py": NETWORK,
            "build.py": [("import MLP", "import Deep"), ("MLP(", "Deep(")],
        },
        {"test_network.py"},
    ),
    "loss": (
        {
            "loss.py": LOSS,
            "config.py": [
                ("    delta: PositiveFloat | None = None", "    power: PositiveFloat = 1.5")
            ],
            "build.py": [
                ("import Huber", "import Power"),
                (
                    "Huber((config.loss.delta or dataset.label_unit) / dataset.label_unit,",
                    "Power(config.loss.power,",
                ),
            ],
        },
        {"test_loss.py"},
    ),
    "policy": (
        {
            "gradients.py": ("", POLICY),
            "train_step.py": [
                (f"import {CLIP}", f"import {CLIP}, halved"),
                ("    def train_step", "    grad_fn = halved(grad_fn)\n\n    def train_step"),
            ],
        },
        {CHAIN},
    ),
    "data": ({"data.py": DATA}, {"test_data.py", "test_built_in.py", "test_predict.py"}),
    "metric": (
        {"metrics.py": [('return {"r2": float(r2)', 'return {"own": 1.0, "r2": float(r2)')]},
        set(),
    ),
    "frozen": (
        {"build.py": [(ADAM, ADAM.replace("network", "network.head"))]},
        {RUN},
    ),
    "rates": ({"build.py": [(ADAM, GROUPS)]}, {RUN}),
    "optimizer": (
        {"build.py": [("from .optimizer import Adam\n", ""), ("return Adam(", "return nn.Adam(")]},
        set(),
    ),
}
"""of a regression: files below the package, and the files of tests, or tests, that may fail"""
NOT_CONCERNED = ("command_line", "settings", "kept", "rows", "checkpoint", "runtime", "accumulate")
"""tests of what no edit reaches"""


def edit(package: Path, changes: dict[str, object]) -> None:
    """Change the files; each old part must be there."""
    for name, change in changes.items():
        path = package / name
        text = path.read_text(encoding="utf-8")
        if isinstance(change, str):
            text = change
        elif isinstance(change, tuple):
            text += change[1]
        else:
            for old, new in change:
                assert old in text, f"{name} has no {old!r}"
                text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


QUICK = {"network", "loss"}
"""edits that are tried each time"""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in EDITS],
)
def test_edit(name: str, render):
    """Only what pins the edited part fails, with a line that says so; a run trains and is judged."""
    changes, pins = EDITS[name]
    policy = {"gradient_policy": CLIP} if name == "policy" else {}
    project = render(task="regression", **policy)
    edit(project / "src" / "mindspore_project", changes)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rfEs",
        "-W",
        "error",
        "-p",
        "no:cacheprovider",
    ]
    ignored = [f"--ignore=tests/test_{part}.py" for part in NOT_CONCERNED]
    result = subprocess.run([*command, *ignored], cwd=project, capture_output=True, text=True)
    failed = set(re.findall(r"^(?:FAILED|ERROR) tests/([^\s[]+)", result.stdout, re.MULTILINE))
    unexpected = {test for test in failed if test not in pins and test.split("::")[0] not in pins}
    assert not unexpected, result.stdout
    assert re.search(r"\d+ passed", result.stdout), result.stdout
    if name in ("network", "loss"):
        (pinned,) = pins
        assert pinned in failed
        assert f"{pinned} pins " in result.stdout
    if name == "network":
        assert "normalises over the rows of a batch" in result.stdout
        assert "(Dropout) draws anew in every pass" in result.stdout
    if name == "policy":
        assert failed == pins
        assert "belongs into this test, too" in result.stdout


@pytest.mark.parametrize("block", [0, 1])
def test_own_data_of_the_readme_train(block: int, render, tmp_path: Path):
    """What a project's README writes in place of ``load`` trains on arrays that are as it says."""
    project = render(task="classification", network="mlp")
    readme = (project / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", readme.split("### Own data")[1], re.DOTALL | re.M)
    (project / "src" / "mindspore_project" / "data.py").write_text(blocks[block], encoding="utf-8")
    rng = np.random.default_rng(0)
    label = rng.integers(0, 10, 200).astype(np.int32)
    images = (rng.integers(0, 9, (200, 4, 4, 3)) + 20 * label[:, None, None, None]).astype(np.uint8)
    np.save(tmp_path / "data.npy", images if block else images.astype(np.float32) / 255)
    np.save(tmp_path / "label.npy", label)
    command = [sys.executable, "-m", "mindspore_project", "train", "--epochs=20", "--run_dir=run"]
    path = {**os.environ, "PYTHONPATH": str(project / "src")}
    result = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert float(re.findall(r"accuracy ([\d.]+)", result.stdout)[-1]) > 0.5, result.stdout
