"""The generator and the discriminator against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.engine.errors import InputError
from package.network import DCGAN

LIMITS = (-1.0, 3.0)


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("shape", [(1, 8, 8), (3, 4, 12)])
def test_shapes(shape):
    """Oracle: the signatures, (batch, latent) to (batch, *shape) to (batch, 1)."""
    network = DCGAN(shape, LIMITS, latent=4, width=8)
    samples = network.generator(Tensor(rows(6, 4)))
    assert samples.shape == (6, *shape)
    assert network.discriminator(samples).shape == (6, 1)


def conv(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Convolve (batch, in, h, w) with (out, in, 4, 4), stride 2, a border of 1, by its sum."""
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    _, _, height, width = x.shape
    y = np.zeros((len(x), len(weight), height // 2, width // 2))
    for i, j in np.ndindex(height // 2, width // 2):
        window = padded[:, :, 2 * i : 2 * i + 4, 2 * j : 2 * j + 4]
        y[:, :, i, j] = np.einsum("bcij,ocij->bo", window, weight) + bias
    return y


def transposed(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Spread each pixel of (batch, in, h, w) over 4 x 4 by (in, out, 4, 4), stride 2, cut by 1."""
    _, _, height, width = x.shape
    y = np.zeros((len(x), weight.shape[1], 2 * height + 2, 2 * width + 2))
    for i, j in np.ndindex(height, width):
        spread = np.einsum("bc,coij->boij", x[:, :, i, j], weight)
        y[:, :, 2 * i : 2 * i + 4, 2 * j : 2 * j + 4] += spread
    return y[:, :, 1:-1, 1:-1] + bias[:, None, None]


def test_generator_equals_numpy():
    """Oracle: a dense layer and two transposed convolutions in NumPy, then 1 + 2 tanh."""
    generator = DCGAN((3, 8, 4), LIMITS, latent=4, width=6).generator
    dense, dense_bias, *convs = [p.asnumpy() for p in generator.trainable_params()]
    x = rows(5, 4)
    y = np.maximum(x @ dense.T + dense_bias, 0).reshape(5, 12, 2, 1)
    y = np.maximum(transposed(y, *convs[:2]), 0)
    expected = 1 + 2 * np.tanh(transposed(y, *convs[2:]))
    found = generator(Tensor(x)).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_discriminator_equals_numpy():
    """Oracle: two convolutions with a leaky ReLU of slope 0.2 in NumPy, then a dense layer."""
    discriminator = DCGAN((3, 8, 4), LIMITS, width=6).discriminator
    *convs, head, head_bias = [p.asnumpy() for p in discriminator.trainable_params()]
    data = x = rows(5, 3, 8, 4)
    for weight, bias in (convs[:2], convs[2:]):
        x = conv(x, weight, bias)
        x = np.where(x > 0, x, 0.2 * x)
    expected = x.reshape(5, -1) @ head.T + head_bias
    found = discriminator(Tensor(data)).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_parameters():
    """Oracle: counted by hand, 16 weights for each pair of channels; names say the network."""
    network = DCGAN((3, 8, 8), LIMITS, latent=4, width=5)
    assert {p.name: p.size for p in network.trainable_params()} == {
        "generator.dense.weight": 160,
        "generator.dense.bias": 40,
        "generator.conv.weight": 800,
        "generator.conv.bias": 5,
        "generator.head.weight": 240,
        "generator.head.bias": 3,
        "discriminator.conv1.weight": 240,
        "discriminator.conv1.bias": 5,
        "discriminator.conv2.weight": 800,
        "discriminator.conv2.bias": 10,
        "discriminator.head.weight": 40,
        "discriminator.head.bias": 1,
    }


def test_size_of_the_first_weights():
    """Oracle: He et al. 2015, deviation sqrt(2 / inputs), a doubling's counted as 16 a channel."""
    ms.set_seed(0)
    network = DCGAN((3, 8, 8), LIMITS, latent=50, width=32)
    for weight, inputs in (
        (network.generator.dense.weight, 50),
        (network.generator.conv.weight, 16 * 64),
        (network.discriminator.conv2.weight, 16 * 32),
    ):
        assert weight.asnumpy().std() == pytest.approx((2 / inputs) ** 0.5, rel=0.05)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((2,), r"rows have shape \(2,\): vectors are for the network mlp_gan"),
        ((1, 10, 10), "10 x 10 pixels cannot be halved twice.*dataset.size.*such as 12"),
        ((1, 8, 9), "8 x 9 pixels"),
    ],
)
def test_rows_that_do_not_fit_are_refused(shape, message):
    """Oracle: the message names the shape and what would work."""
    with pytest.raises(InputError, match=message):
        DCGAN(shape, LIMITS)
