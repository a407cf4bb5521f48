"""The convolutional network against plain NumPy."""

import re

import numpy as np
import pytest
from mindspore import Tensor

from package.engine.errors import InputError
from package.network import CNN


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def convolution(x: np.ndarray, weight: np.ndarray, stride: int = 1) -> np.ndarray:
    """Convolve by loops, with zeros around the image so that it keeps its size over ``stride``.

    Where the zeros to be added are odd in number, the last side gets one more.
    """
    side = weight.shape[2]
    sizes = [-(-n // stride) for n in x.shape[2:]]
    zeros = [max((m - 1) * stride + side - n, 0) for m, n in zip(sizes, x.shape[2:])]
    x = np.pad(x, [(0, 0), (0, 0), *[(z // 2, z - z // 2) for z in zeros]])
    y = np.zeros((len(x), len(weight), *sizes))
    for b, c, i, j in np.ndindex(*y.shape):
        top, left = i * stride, j * stride
        y[b, c, i, j] = (x[b, :, top : top + side, left : left + side] * weight[c]).sum()
    return y


def halved(x: np.ndarray) -> np.ndarray:
    """Take the largest of each 2 x 2 places by loops; at an odd edge, of those that there are."""
    y = np.zeros((*x.shape[:2], -(-x.shape[2] // 2), -(-x.shape[3] // 2)))
    for b, c, i, j in np.ndindex(*y.shape):
        y[b, c, i, j] = x[b, c, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2].max()
    return y


@pytest.mark.parametrize("shape", [(1, 8, 8), (3, 28, 28), (1, 32, 32), (3, 5, 7), (2, 1, 1)])
def test_shapes(shape):
    """Oracle: the signature, (batch, *shape) to (batch, outputs), for any image."""
    assert CNN(shape, 4, width=2)(Tensor(rows(3, *shape))).shape == (3, 4)


def test_forward_pass_equals_numpy():
    """Oracle: convolution, ReLU and maximum by NumPy loops, with the network's own weights."""
    network = CNN((2, 5, 7), 3, width=2)
    weights = {p.name: p.asnumpy() for p in network.trainable_params()}
    data = rows(2, 2, 5, 7)
    x = data
    for layer in ("conv1", "conv2"):
        x = convolution(x, weights[f"{layer}.weight"])
        x = halved(np.maximum(x + weights[f"{layer}.bias"][:, None, None], 0))
    expected = x.reshape(2, -1) @ weights["head.weight"].T + weights["head.bias"]
    np.testing.assert_allclose(network(Tensor(data)).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_parameters():
    """Oracle: counted by hand; 8 x 8 pixels become 2 x 2 places of 8 channels."""
    sizes = {p.name: p.size for p in CNN((1, 8, 8), 10, width=4).trainable_params()}
    assert sizes == {
        "conv1.weight": 4 * 1 * 9,
        "conv1.bias": 4,
        "conv2.weight": 8 * 4 * 9,
        "conv2.bias": 8,
        "head.weight": 10 * 8 * 2 * 2,
        "head.bias": 10,
    }


@pytest.mark.parametrize("shape", [(2,), (8, 8), (3, 1, 8, 8)])
def test_refuses_what_is_not_an_image(shape):
    """Oracle: the contract, an InputError that names the shape."""
    with pytest.raises(InputError, match=re.escape(str(shape))):
        CNN(shape, 3)
