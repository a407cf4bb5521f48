"""What holds for any network of this project, also one of your own."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn

from {{ cookiecutter.package_name }} import build
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.data import load


@pytest.fixture
def network(config: Config, eager: None) -> nn.Cell:
    """The network as it is evaluated, each weight a little off where it starts, be that 0 or 1."""
    ms.set_seed(0)
    network = build.create_network(config, load(config))
    network.set_train(False)
    rng = np.random.default_rng(0)
    for weight in network.trainable_params():
        moved = weight.asnumpy() + 0.1 * rng.standard_normal(weight.shape)
        weight.set_data(Tensor(moved.astype(np.float32)))
    return network


@pytest.fixture
def data(config: Config) -> np.ndarray:
    """A few rows."""
    return load(config).train.data[:4]


def test_rows_do_not_influence_each_other(network: nn.Cell, data: np.ndarray):
    """Oracle: the row alone, in a batch of its own."""
    together = network(Tensor(data)).asnumpy()
    alone = [network(Tensor(data[i : i + 1])).asnumpy() for i in range(len(data))]
    np.testing.assert_allclose(together, np.concatenate(alone), rtol=1e-3, atol=1e-4)


def test_every_parameter_gets_a_gradient(network: nn.Cell, data: np.ndarray):
    """Oracle: nothing that is trained may be left out of the output."""
    weights = network.trainable_params()
    slopes = ms.grad(lambda x: (network(x) ** 2).sum(), None, weights)(Tensor(data))
    for weight, slope in zip(network.trainable_params(), slopes):
        assert np.abs(slope.asnumpy()).max() > 1e-6, weight.name
