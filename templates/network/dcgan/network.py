"""A generator and a discriminator of convolutions."""

from mindspore import Tensor, nn, ops
from mindspore.common.initializer import HeUniform

from .engine.cpu.avx2 import keep_to_avx2
from .engine.cpu.leaky_relu import leaky_relu
from .engine.errors import InputError


class DCGAN(nn.Cell):
    """Two small convolutional networks: ``generator`` makes images, ``discriminator`` judges them.

    Each has two convolutions of 4 x 4 pixels and stride 2 instead of pooling, as in A. Radford,
    L. Metz and S. Chintala, *Unsupervised representation learning with deep convolutional
    generative adversarial networks*, 2016. Unlike there, nothing is normalised, so that every row
    stands for itself.

    Args:
        shape: (channels, height, width) of one image.
        limits: the least and the greatest value that a generated pixel can have.
        latent: standard normal numbers that the generator makes an image of.
        width: channels of each network at half the image's size; at a quarter it is twice as many.

    Raises:
        InputError: ``shape`` is not that of an image that can be halved twice.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        limits: tuple[float, float],
        latent: int = 32,
        width: int = 32,
    ):
        super().__init__()
        if len(shape) != 3:
            raise InputError(
                f"a convolutional network makes images, (channels, height, width), and the rows "
                f"have shape {shape}: vectors are for the network mlp_gan"
            )
        channels, height, width_of_image = shape
        if height % 4 or width_of_image % 4:
            raise InputError(
                f"images of {height} x {width_of_image} pixels cannot be halved twice: use a "
                f"dataset.size that 4 divides, such as {-(-height // 4) * 4}"
            )
        keep_to_avx2()
        start = (2 * width, height // 4, width_of_image // 4)
        self.generator = Generator(start, channels, limits, latent)
        self.discriminator = Discriminator(start, channels)


class Generator(nn.Cell):
    """A dense layer and two transposed convolutions, ReLU between them.

    Args:
        start: (channels, height, width) that the dense layer makes; the others double the size.
        channels: of the image.
        limits: as for DCGAN, like ``latent``.
        latent: the length of the input.
    """

    def __init__(
        self, start: tuple[int, int, int], channels: int, limits: tuple[float, float], latent: int
    ):
        super().__init__()
        self.start = start
        low, high = limits
        self.middle, self.reach = (high + low) / 2, (high - low) / 2
        wide, height, width = start
        self.dense = nn.Dense(latent, wide * height * width, weight_init="he_uniform")
        self.conv = doubling(wide, wide // 2)
        self.head = doubling(wide // 2, channels)

    def construct(self, latent: Tensor) -> Tensor:
        """Map (batch, latent) to (batch, channels, height, width)."""
        x = ops.relu(self.dense(latent)).reshape((-1, *self.start))
        return self.middle + self.reach * ops.tanh(self.head(ops.relu(self.conv(x))))


class Discriminator(nn.Cell):
    """Two convolutions with leaky ReLU and a dense layer; its arguments are the generator's."""

    def __init__(self, start: tuple[int, int, int], channels: int):
        super().__init__()
        wide, height, width = start
        self.conv1 = halving(channels, wide // 2)
        self.conv2 = halving(wide // 2, wide)
        self.head = nn.Dense(wide * height * width, 1)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, channels, height, width) to (batch, 1), large where an image looks real."""
        x = leaky_relu(self.conv1(data), 0.2)
        x = leaky_relu(self.conv2(x), 0.2)
        return self.head(x.reshape((x.shape[0], -1)))


def halving(channels: int, width: int) -> nn.Conv2d:
    """Make a convolution of 4 x 4 pixels that halves the image."""
    return nn.Conv2d(channels, width, 4, 2, "pad", 1, has_bias=True, weight_init="he_uniform")


def doubling(channels: int, width: int) -> nn.Conv2dTranspose:
    """Make the transpose of such a convolution, which doubles the image.

    A pixel then sums 4 of the 16 weights of each input channel, hence the gain.
    """
    weight_init = HeUniform(mode="fan_out")
    return nn.Conv2dTranspose(
        channels, width, 4, 2, "pad", 1, has_bias=True, weight_init=weight_init
    )
