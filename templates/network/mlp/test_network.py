"""The multilayer perceptron against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.network import MLP


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("shape", [(1,), (10,), (1, 8, 8), (3, 5, 7)])
def test_shapes(shape):
    """Oracle: the signature, (batch, *shape) to (batch, outputs)."""
    assert MLP(shape, 4, width=8)(Tensor(rows(6, *shape))).shape == (6, 4)


@pytest.mark.parametrize("depth", [1, 3])
def test_forward_pass_equals_numpy(depth):
    """Oracle: NumPy's max(x W^T + b, 0) layer by layer, with the network's own weights."""
    network = MLP((2, 3), 4, width=8, depth=depth)
    data = rows(5, 2, 3)
    *hidden, head = zip(*[iter([p.asnumpy() for p in network.trainable_params()])] * 2)
    assert len(hidden) == depth
    x = data.reshape(5, 6)
    for weight, bias in hidden:
        x = np.maximum(x @ weight.T + bias, 0)
    expected = x @ head[0].T + head[1]
    np.testing.assert_allclose(network(Tensor(data)).asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_parameters():
    """Oracle: counted by hand, 64 x 16 + 16, 16 x 16 + 16 and 16 x 10 + 10."""
    sizes = {p.name: p.size for p in MLP((1, 8, 8), 10, width=16, depth=2).trainable_params()}
    assert sizes == {
        "hidden.0.weight": 1024,
        "hidden.0.bias": 16,
        "hidden.1.weight": 256,
        "hidden.1.bias": 16,
        "head.weight": 160,
        "head.bias": 10,
    }


def test_size_of_the_first_weights():
    """Oracle: He et al. 2015, deviation sqrt(2 / inputs); 20 000 draws know it to 1 %."""
    ms.set_seed(0)
    weight = MLP((200,), 1, width=100).hidden[0].weight.asnumpy()
    assert weight.std() == pytest.approx(0.1, rel=0.03)
