"""A choice is one folder and one line, as CONTRIBUTING.md says."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from . import ROOT

LOSS = '''"""Tukey's biweight loss."""

from mindspore import Tensor, nn, ops


class Tukey(nn.LossBase):
    r"""Squared error near zero, constant beyond: an outlier does not pull at all.

    .. math:: \\ell = c^2/6 (1 - (1 - \\min(|r|/c, 1)^2)^3)

    Args:
        c: residual beyond which the loss is constant, in units of the label.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(self, c: float = 4.685, reduction: str = "mean"):
        super().__init__(reduction)
        self.c = c

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Compare (batch, 1) with (batch, 1)."""
        inside = ops.minimum(ops.abs(logits - labels) / self.c, 1)
        return self.get_loss(self.c**2 / 6 * (1 - (1 - inside**2) ** 3))
'''

CONFIG = '''@dataclass
class LossConfig:
    """Tukey's biweight loss."""

    c: number.PositiveFloat = 30.0
    """residual beyond which the loss is constant, in units of the label"""
'''

TEST = '''"""Tukey's biweight loss against numbers worked out by hand."""

import pytest
from mindspore import Tensor

from package.loss import Tukey


def test_values():
    """c = 2: at r = 1 it is 4/6 (1 - 0.75^3), beyond 2 it is 4/6."""
    loss = Tukey(2.0, reduction="none")(Tensor([[1.0], [5.0]]), Tensor([[0.0], [0.0]]))
    assert loss.asnumpy().ravel() == pytest.approx([4 / 6 * (1 - 0.75**3), 4 / 6])
'''


def test_add_a_loss(render, tmp_path: Path):
    """Write the folder and the line in a copy of the template; render it, and run its tests."""
    template = tmp_path / "template"
    shutil.copytree(ROOT, template, ignore=shutil.ignore_patterns(".git", ".venv", "demo"))
    folder = template / "templates" / "loss" / "tukey"
    folder.mkdir()
    (folder / "loss.py").write_text(LOSS)
    (folder / "use.py").write_text("Tukey(config.loss.c, reduction)\n")
    (folder / "config.py").write_text(CONFIG)
    (folder / "test_loss.py").write_text(TEST)
    (folder / "README.md").write_text("Tukey's biweight ignores outliers (`--loss.c`).\n")
    path = template / "cookiecutter.json"
    table = json.loads(path.read_text())
    table["loss"].append("tukey")
    table["_tasks"]["regression"]["loss"].append("tukey")
    table["__prompts__"]["loss"]["tukey"] = "tukey - constant far out (regression)"
    path.write_text(json.dumps(table))

    project = render(template, loss="tukey")
    suite = ["pytest", "-q", "tests/test_loss.py", "tests/test_train.py"]
    for command in (["ruff", "format", "--check", "."], ["ruff", "check", "."], suite):
        result = subprocess.run(
            [sys.executable, "-m", *command], cwd=project, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr
    assert "Tukey" in (project / "src" / "mindspore_project" / "build.py").read_text()
