"""The linear model against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from cell_laws import assert_seed_decides
from mindspore import Tensor

from package.network import Linear


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("shape", [(1,), (10,), (1, 8, 8), (3, 5, 7)])
def test_shapes(shape):
    """Oracle: the signature, (batch, *shape) to (batch, outputs)."""
    assert Linear(shape, 4)(Tensor(rows(6, *shape))).shape == (6, 4)


def test_forward_pass_equals_numpy():
    """Oracle: NumPy's x W^T + b on the flattened rows, with the layer's own weights."""
    network = Linear((2, 3), 4)
    data = rows(5, 2, 3)
    expected = data.reshape(5, 6) @ network.head.weight.asnumpy().T + network.head.bias.asnumpy()
    np.testing.assert_allclose(network(Tensor(data)).asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_parameters():
    """Oracle: counted by hand, 64 inputs x 10 outputs and 10 biases."""
    sizes = {p.name: p.size for p in Linear((1, 8, 8), 10).trainable_params()}
    assert sizes == {"head.weight": 640, "head.bias": 10}


def test_seed_decides_the_weights():
    """Oracle: equality of the bits of all weights; with another seed every drawn tensor differs."""
    assert_seed_decides(lambda: Linear((10,), 3))


def test_every_parameter_gets_a_gradient():
    """Oracle: of a sum over 5 rows and one output, the bias's slope is 5, the weight's sum(x)."""
    network = Linear((3,), 1)
    data = rows(5, 3)
    gradient = ms.grad(lambda x: network(x).sum(), None, network.trainable_params())
    by_weight, by_bias = gradient(Tensor(data))
    np.testing.assert_allclose(by_weight.asnumpy(), data.sum(0, keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(by_bias.asnumpy(), [5])
