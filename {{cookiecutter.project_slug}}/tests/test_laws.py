"""What holds for any network of this project, also one of your own."""

import mindspore as ms
import numpy as np
import pytest
from kind import passes
from mindspore import Tensor, nn

from {{ cookiecutter.package_name }}.build import create_network
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.data import load

Passes = list[tuple[nn.Cell, np.ndarray]]


@pytest.fixture
def moved(config: Config, eager: None) -> Passes:
    """The network as it is evaluated, each weight a little off where it starts, be that 0 or 1."""
    ms.set_seed(0)
    network = create_network(config, load(config))
    network.set_train(False)
    rng = np.random.default_rng(0)
    for weight in network.trainable_params():
        moved = weight.asnumpy() + 0.1 * rng.standard_normal(weight.shape)
        weight.set_data(Tensor(moved.astype(np.float32)))
    return passes(network, config)


def test_rows_do_not_influence_each_other(moved: Passes):
    """Oracle: the row alone, in a batch of its own."""
    for cell, rows in moved:
        together = cell(Tensor(rows)).asnumpy()
        alone = [cell(Tensor(rows[i : i + 1])).asnumpy() for i in range(len(rows))]
        np.testing.assert_allclose(together, np.concatenate(alone), rtol=1e-3, atol=1e-4)


def slopes(cell: nn.Cell, rows: np.ndarray) -> tuple[Tensor, ...]:
    """Differentiate the sum of the squared outputs by the weights."""
    weights = cell.trainable_params()
    return ms.grad(lambda x: (cell(x) ** 2).sum(), None, weights)(Tensor(rows))


def test_every_parameter_gets_a_gradient(moved: Passes):
    """Oracle: nothing that is trained may be left out of the output."""
    for cell, rows in moved:
        for weight, slope in zip(cell.trainable_params(), slopes(cell, rows)):
            assert np.abs(slope.asnumpy()).max() > 1e-6, weight.name
