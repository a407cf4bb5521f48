"""The generator and the discriminator against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn

from package.network import MLPGAN

LIMITS = (-1.0, 3.0)


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def layers(cell: nn.Cell) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weight and bias of each layer, the last one last."""
    return list(zip(*[iter([p.asnumpy() for p in cell.trainable_params()])] * 2))


@pytest.mark.parametrize("shape", [(2,), (1, 8, 8), (3, 5, 7)])
def test_shapes(shape):
    """Oracle: the signatures, (batch, latent) to (batch, *shape) to (batch, 1)."""
    network = MLPGAN(shape, LIMITS, latent=4, width=8)
    samples = network.generator(Tensor(rows(6, 4)))
    assert samples.shape == (6, *shape)
    assert network.discriminator(samples).shape == (6, 1)


@pytest.mark.parametrize("depth", [1, 3])
def test_generator_equals_numpy(depth):
    """Oracle: NumPy's max(x W^T + b, 0) layer by layer, and 1 + 2 tanh for the limits -1 and 3."""
    generator = MLPGAN((2, 3), LIMITS, latent=4, width=8, depth=depth).generator
    x = rows(5, 4)
    *hidden, head = layers(generator)
    assert len(hidden) == depth
    expected = x
    for weight, bias in hidden:
        expected = np.maximum(expected @ weight.T + bias, 0)
    expected = 1 + 2 * np.tanh(expected @ head[0].T + head[1])
    found = generator(Tensor(x)).asnumpy().reshape(5, 6)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("depth", [1, 3])
def test_discriminator_equals_numpy(depth):
    """Oracle: NumPy's leaky ReLU of slope 0.2 layer by layer, and a linear last one."""
    discriminator = MLPGAN((2, 3), LIMITS, width=8, depth=depth).discriminator
    data = rows(5, 2, 3)
    *hidden, head = layers(discriminator)
    assert len(hidden) == depth
    x = data.reshape(5, 6)
    for weight, bias in hidden:
        x = x @ weight.T + bias
        x = np.where(x > 0, x, 0.2 * x)
    expected = x @ head[0].T + head[1]
    np.testing.assert_allclose(
        discriminator(Tensor(data)).asnumpy(), expected, rtol=1e-4, atol=1e-5
    )


def test_parameters():
    """Oracle: counted by hand; every name says which network it is of."""
    network = MLPGAN((1, 8, 8), LIMITS, latent=4, width=16, depth=2)
    assert {p.name: p.size for p in network.trainable_params()} == {
        "generator.hidden.0.weight": 64,
        "generator.hidden.0.bias": 16,
        "generator.hidden.1.weight": 256,
        "generator.hidden.1.bias": 16,
        "generator.head.weight": 1024,
        "generator.head.bias": 64,
        "discriminator.hidden.0.weight": 1024,
        "discriminator.hidden.0.bias": 16,
        "discriminator.hidden.1.weight": 256,
        "discriminator.hidden.1.bias": 16,
        "discriminator.head.weight": 16,
        "discriminator.head.bias": 1,
    }


def test_size_of_the_first_weights():
    """Oracle: He et al. 2015, deviation sqrt(2 / inputs); 20 000 draws know it to 1 %."""
    ms.set_seed(0)
    network = MLPGAN((200,), LIMITS, latent=200, width=100)
    for cell in (network.generator, network.discriminator):
        assert layers(cell)[0][0].std() == pytest.approx(0.1, rel=0.03)
