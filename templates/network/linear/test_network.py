"""The linear model against plain NumPy."""

import numpy as np
import pytest
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
