"""A small convolutional network."""

import math

from mindspore import Tensor, nn, ops

from .engine.cpu.avx2 import keep_to_avx2
from .engine.cpu.max_pool import create_max_pool
from .engine.errors import InputError


class CNN(nn.Cell):
    """Two convolutions of 3 x 3 pixels, the image halved after each, and a dense layer.

    A convolution looks for the same pattern everywhere; the dense layer knows where it was found.
    After Y. LeCun et al., *Gradient-based learning applied to document recognition*, 1998.

    Args:
        shape: (channels, height, width) of one image.
        outputs: width of the last layer.
        width: channels after the first convolution; the second has twice as many.

    Raises:
        InputError: ``shape`` is not that of an image.
    """

    def __init__(self, shape: tuple[int, ...], outputs: int, width: int = 32):
        super().__init__()
        if len(shape) != 3:
            raise InputError(
                f"a convolutional network reads images, (channels, height, width), and the rows "
                f"have shape {shape}: vectors are for the networks mlp and linear"
            )
        keep_to_avx2()
        channels, *sides = shape
        self.conv1 = nn.Conv2d(channels, width, 3, has_bias=True)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, has_bias=True)
        self.pool = create_max_pool()
        places = math.prod(-(-side // 4) for side in sides)  # halved twice, rounded up
        self.features = 2 * width * places
        self.head = nn.Dense(self.features, outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, channels, height, width) to (batch, outputs)."""
        # ReLU of the largest is the largest of the ReLUs, for a quarter of the work.
        x = ops.relu(self.pool(self.conv1(data)))  # (batch, width, height / 2, width / 2)
        x = ops.relu(self.pool(self.conv2(x)))
        return self.head(x.reshape((-1, self.features)))
