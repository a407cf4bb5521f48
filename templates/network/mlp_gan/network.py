"""A generator and a discriminator of dense layers."""

import math

from mindspore import Tensor, nn, ops

from .engine.cpu.leaky_relu import leaky_relu


class MLPGAN(nn.Cell):
    """Two multilayer perceptrons: ``generator`` makes rows, ``discriminator`` judges them.

    I. Goodfellow et al., *Generative adversarial nets*, 2014. The hidden weights start as in K. He
    et al., *Delving deep into rectifiers*, 2015.

    Args:
        shape: shape of one row.
        limits: the least and the greatest number that a generated row can hold.
        latent: standard normal numbers that the generator makes a row of.
        width: width of each hidden layer.
        depth: number of hidden layers of each network.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        limits: tuple[float, float],
        latent: int = 16,
        width: int = 128,
        depth: int = 2,
    ):
        super().__init__()
        self.generator = Generator(shape, limits, latent, width, depth)
        self.discriminator = Discriminator(shape, width, depth)


class Generator(nn.Cell):
    """Dense layers with ReLU between them, from latents to rows; its arguments are MLPGAN's."""

    def __init__(
        self,
        shape: tuple[int, ...],
        limits: tuple[float, float],
        latent: int,
        width: int,
        depth: int,
    ):
        super().__init__()
        self.shape = shape
        low, high = limits
        self.middle, self.reach = (high + low) / 2, (high - low) / 2
        self.hidden = hidden_layers(latent, width, depth)
        self.head = nn.Dense(width, math.prod(shape))

    def construct(self, latent: Tensor) -> Tensor:
        """Map (batch, latent) to (batch, *shape)."""
        x = latent
        for layer in self.hidden:
            x = ops.relu(layer(x))
        x = self.middle + self.reach * ops.tanh(self.head(x))
        return x.reshape((-1, *self.shape))


class Discriminator(nn.Cell):
    """Dense layers with leaky ReLU between them, from rows to logits."""

    def __init__(self, shape: tuple[int, ...], width: int, depth: int):
        super().__init__()
        self.hidden = hidden_layers(math.prod(shape), width, depth)
        self.head = nn.Dense(width, 1)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, *shape) to (batch, 1), the larger the more real a row looks."""
        x = data.reshape((data.shape[0], -1))
        for layer in self.hidden:
            x = leaky_relu(layer(x), 0.2)
        return self.head(x)


def hidden_layers(inputs: int, width: int, depth: int) -> nn.CellList:
    """Make the hidden layers of either network."""
    widths = [inputs, *[width] * depth]
    return nn.CellList(
        [nn.Dense(n, m, weight_init="he_uniform") for n, m in zip(widths, widths[1:])]
    )
