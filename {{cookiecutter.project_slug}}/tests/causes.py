"""Why a law may not hold for a network: batch normalisation, and numbers drawn in the graph."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn

from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.task import create_task


def layer(network: nn.Cell, kind: str) -> str:
    """Name the first layer whose class, or a class that it is based on, is called like ``kind``."""
    for name, cell in network.cells_and_names():
        if any(kind in base.__name__ for base in type(cell).__mro__):
            return f"{name} ({type(cell).__name__})"
    return ""


def needs_equal_passes(config: Config) -> None:
    """Skip the test if the network or the loss draws numbers: no two passes are then equal."""
    task = create_task(config)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    task.network.set_train(True)
    first, *others = (task.probe().asnumpy() for _ in range(4))
    if not all(np.array_equal(first, other) for other in others):
        what = layer(task.network, "Dropout") or "the network or the loss"
        pytest.skip(f"{what} draws anew in every pass, so that no two are equal to the bit")


def needs_rows_alone(config: Config) -> None:
    """Skip the test if a layer normalises over the batch: a row then depends on the others."""
    if what := layer(create_task(config).network, "BatchNorm"):
        pytest.skip(f"{what} normalises over the rows of a batch, and two halves are not the whole")
