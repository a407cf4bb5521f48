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

CONFIG = '''@dataclass(config=STRICT)
class LossConfig:
    """Tukey's biweight loss."""

    c: PositiveFloat = 30.0
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


POLICY = '''"""The sign of the gradient."""

from collections.abc import Callable

from mindspore import ops


def sign(grad_fn: Callable) -> Callable:
    """Replace every entry of the gradient by its sign.

    Bernstein et al., *signSGD: compressed optimisation for non-convex problems*, 2018.
    """

    def signs(*batch):
        value, grads = grad_fn(*batch)
        return value, tuple([ops.sign(g) for g in grads])

    return signs
'''

POLICY_TEST = '''"""The sign of the gradient against numbers worked out by hand."""

import mindspore as ms

from package.gradients import sign


def test_values():
    """Of (-3, 0, 0.1) it is (-1, 0, 1)."""

    def given(grad):
        return (0, 0), (grad,)

    assert sign(given)(ms.Tensor([-3, 0, 0.1]))[1][0].asnumpy().tolist() == [-1, 0, 1]
'''


def copy_template(folder: Path) -> Path:
    """Copy the template, without what Git does not keep."""
    ignore = shutil.ignore_patterns(".git", ".venv", "demo", "__pycache__")
    return Path(shutil.copytree(ROOT, folder / "template", ignore=ignore))


def add_choice(template: Path, question: str, choice: str, files: dict[str, str]) -> None:
    """Write the folder and the line of a choice."""
    folder = template / "templates" / question / choice
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = template / "cookiecutter.json"
    table = json.loads(path.read_text(encoding="utf-8"))
    table[question].append(choice)
    if question in table["_tasks"]["regression"]:
        table["_tasks"]["regression"][question].append(choice)
    table["__prompts__"][question][choice] = f"{choice} - new"
    path.write_text(json.dumps(table), encoding="utf-8")


def check(project: Path, *tests: str) -> None:
    """Format, lint and types have nothing to say, and the tests pass."""
    for command in (["ruff", "format", "--check"], ["ruff", "check"], ["mypy"], ["pytest", *tests]):
        result = subprocess.run(
            [sys.executable, "-m", *command], cwd=project, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr


def test_add_a_policy(render, tmp_path: Path):
    """Four files and a line: the policy is rendered, proven and trained with."""
    template = copy_template(tmp_path)
    files = {
        "gradients.py": POLICY,
        "use.py": "sign(grad_fn)\n",
        "test_gradients.py": POLICY_TEST,
        "README.md": "Every entry of the gradient is replaced by its sign.\n",
    }
    add_choice(template, "gradient_policy", "sign", files)
    check(
        render(template, gradient_policy="sign"),
        "tests/test_gradients.py",
        "tests/test_train_step.py",
    )


def test_add_a_loss(render, tmp_path: Path):
    """Five files and a line: the loss is rendered, proven and trained."""
    template = copy_template(tmp_path)
    files = {
        "loss.py": LOSS,
        "use.py": "Tukey(config.loss.c / dataset.label_unit, reduction)\n",
        "config.py": CONFIG,
        "test_loss.py": TEST,
        "README.md": "Tukey's biweight ignores outliers (`--loss.c`).\n",
    }
    add_choice(template, "loss", "tukey", files)
    check(render(template, loss="tukey"), "tests/test_loss.py", "tests/test_train.py")
