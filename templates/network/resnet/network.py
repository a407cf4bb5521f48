"""A residual network."""

import math

from mindspore import Tensor, nn, ops

from .engine.cpu.avx2 import keep_to_avx2
from .engine.errors import InputError


def group_norm(channels: int) -> nn.GroupNorm:
    """Normalise each of a row's groups of channels; there are gcd(channels, 4) groups.

    A row's mean and variance are its own, where those of a batch norm are the batch's. So one big
    batch, micro-batches that accumulate and devices that share a batch are the same mathematics.
    Y. Wu and K. He, *Group normalization*, 2018.
    """
    return nn.GroupNorm(math.gcd(channels, 4), channels)


class Block(nn.Cell):
    r"""Add to the input what two normalised convolutions of 3 x 3 pixels make of it.

    .. math:: y = relu(shortcut(x) + norm(conv(relu(norm(conv(x))))))

    Where ``stride`` or the number of channels changes the shape, the shortcut is a normalised
    convolution of 1 x 1 pixels; elsewhere it is the input itself.

    Args:
        channels: channels of the input.
        width: channels of the output.
        stride: 2 halves height and width, rounded up; 1 keeps them.
    """

    def __init__(self, channels: int, width: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3, stride)
        self.norm1 = group_norm(width)
        self.conv2 = nn.Conv2d(width, width, 3)
        self.norm2 = group_norm(width)
        self.shortcut: nn.Cell = nn.Identity()
        if stride > 1 or channels != width:
            self.shortcut = nn.SequentialCell(
                nn.Conv2d(channels, width, 1, stride), group_norm(width)
            )

    def construct(self, x: Tensor) -> Tensor:
        """Map (batch, channels, h, w) to (batch, width, h / stride, w / stride)."""
        y = ops.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        return ops.relu(self.shortcut(x) + y)


class ResNet(nn.Cell):
    """A convolution, stages of residual blocks, the mean over the image, and a dense layer.

    Each stage after the first halves the image and doubles the channels. K. He et al., *Deep
    residual learning for image recognition*, 2016.

    Args:
        shape: (channels, height, width) of one image.
        outputs: width of the last layer.
        width: channels of the first stage.
        stages: number of stages.
        blocks: blocks in each stage.

    Raises:
        InputError: ``shape`` is not that of an image.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        outputs: int,
        width: int = 16,
        stages: int = 2,
        blocks: int = 1,
    ):
        super().__init__()
        if len(shape) != 3:
            raise InputError(
                f"a residual network reads images, (channels, height, width), and the rows have "
                f"shape {shape}: vectors are for the networks mlp and linear"
            )
        keep_to_avx2()
        self.stem = nn.Conv2d(shape[0], width, 3)
        self.norm = group_norm(width)
        body = [Block(width, width, stride=1) for _ in range(blocks)]
        for _ in range(stages - 1):
            body.append(Block(width, 2 * width, stride=2))
            width = 2 * width
            body.extend(Block(width, width, stride=1) for _ in range(blocks - 1))
        self.blocks = nn.CellList(body)
        self.head = nn.Dense(width, outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, channels, height, width) to (batch, outputs)."""
        x = ops.relu(self.norm(self.stem(data)))  # (batch, width, height, width)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean((2, 3)))
