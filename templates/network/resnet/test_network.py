"""The residual network against plain NumPy."""

import re

import numpy as np
import pytest
from mindspore import Tensor

from package.engine.errors import InputError
from package.network import Block, ResNet


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


def normalised(x: np.ndarray, groups: int, norm: dict[str, np.ndarray]) -> np.ndarray:
    """Give each of a row's groups of channels mean 0 and variance 1, then scale and shift."""
    y = x.reshape(len(x), groups, -1)
    y = (y - y.mean(2, keepdims=True)) / np.sqrt(y.var(2, keepdims=True) + 1e-5)
    return y.reshape(x.shape) * norm["gamma"][:, None, None] + norm["beta"][:, None, None]


@pytest.mark.parametrize("shape", [(1, 8, 8), (3, 28, 28), (1, 32, 32), (3, 5, 7), (2, 1, 1)])
def test_shapes(shape):
    """Oracle: the signature, (batch, *shape) to (batch, outputs), for any image."""
    assert ResNet(shape, 4, width=8)(Tensor(rows(3, *shape))).shape == (3, 4)


@pytest.mark.parametrize("channels, groups", [(1, 1), (7, 1), (6, 2), (12, 4), (16, 4)])
def test_groups(channels, groups):
    """Oracle: gcd(channels, 4) by hand; NumPy's mean and variance over each such group."""
    data = 3 * rows(2, channels, 4, 5) + 1
    identity = {"gamma": np.ones(channels), "beta": np.zeros(channels)}
    expected = normalised(data, groups, identity)
    norm = Block(channels, channels, stride=1).norm1
    np.testing.assert_allclose(norm(Tensor(data)).asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("channels, width, stride", [(4, 4, 1), (2, 4, 1), (4, 12, 2)])
def test_block_equals_numpy(channels, width, stride):
    """Oracle: convolutions by NumPy loops, the block's own kernels, and norms set at random."""
    block = Block(channels, width, stride)
    rng = np.random.default_rng(1)
    for parameter in block.trainable_params():
        parameter.set_data(Tensor(rng.standard_normal(parameter.shape).astype(np.float32)))
    weights = {p.name: p.asnumpy() for p in block.trainable_params()}

    def norm(x, name):
        ends = {end: weights[f"{name}.{end}"] for end in ("gamma", "beta")}
        return normalised(x, 4, ends)

    data = rows(2, channels, 5, 6)
    y = np.maximum(norm(convolution(data, weights["conv1.weight"], stride), "norm1"), 0)
    y = norm(convolution(y, weights["conv2.weight"]), "norm2")
    x = data
    if (channels, stride) != (width, 1):
        x = norm(convolution(data, weights["shortcut.0.weight"], stride), "shortcut.1")
    np.testing.assert_allclose(
        block(Tensor(data)).asnumpy(), np.maximum(x + y, 0), rtol=1e-3, atol=1e-4
    )


def test_parameters():
    """Oracle: counted by hand; the second stage has 8 channels and projects its input once."""
    network = ResNet((3, 8, 8), 10, width=4, stages=2, blocks=2)
    sizes = {p.name: p.size for p in network.trainable_params()}
    stem = 3 * 4 * 9 + 2 * 4
    first = 2 * (2 * 4 * 4 * 9 + 2 * 2 * 4)
    second = (4 * 8 * 9 + 8 * 8 * 9 + 2 * 2 * 8 + 4 * 8 + 2 * 8) + (2 * 8 * 8 * 9 + 2 * 2 * 8)
    assert sum(sizes.values()) == stem + first + second + 8 * 10 + 10
    assert sizes["blocks.2.shortcut.0.weight"] == 4 * 8
    assert [name for name in sizes if "shortcut.0" in name] == ["blocks.2.shortcut.0.weight"]


def test_each_further_stage_halves_the_image():
    """Oracle: 9 x 6 by hand, 5 x 3 after the second stage and 3 x 2 after the third."""
    network = ResNet((1, 9, 6), 2, width=2, stages=3, blocks=1)
    x = Tensor(rows(2, 2, 9, 6))
    shapes = []
    for block in network.blocks:
        x = block(x)
        shapes.append(x.shape[1:])
    assert shapes == [(2, 9, 6), (4, 5, 3), (8, 3, 2)]


def test_head_takes_the_mean_over_the_image():
    """Oracle: the blocks' output averaged by NumPy; stem and blocks are tested above."""
    network = ResNet((1, 5, 6), 3, width=4)
    data = rows(2, 1, 5, 6)
    stem = normalised(
        convolution(data, network.stem.weight.asnumpy()),
        4,
        {"gamma": np.ones(4), "beta": np.zeros(4)},
    )
    x = Tensor(np.maximum(stem, 0).astype(np.float32))
    for block in network.blocks:
        x = block(x)
    head = network.head
    expected = x.asnumpy().mean((2, 3)) @ head.weight.asnumpy().T + head.bias.asnumpy()
    np.testing.assert_allclose(network(Tensor(data)).asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("shape", [(2,), (8, 8), (3, 1, 8, 8)])
def test_refuses_what_is_not_an_image(shape):
    """Oracle: the contract, an InputError that names the shape."""
    with pytest.raises(InputError, match=re.escape(str(shape))):
        ResNet(shape, 3)
