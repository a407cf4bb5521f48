"""A small convolutional network."""

from mindspore import Tensor, nn, ops

from .errors import InputError


class CNN(nn.Cell):
    """Two convolutions of 3 x 3 pixels, each halving the image after it, and a dense layer.

    The image's mean over all places goes into the dense layer, so an image may have any size.

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
                f"a convolutional network reads images, (channels, height, width), but a row of "
                f"the data has shape {shape}: choose the network mlp or linear for it"
            )
        self.conv1 = nn.Conv2d(shape[0], width, 3, has_bias=True)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, has_bias=True)
        self.pool = nn.MaxPool2d(2, 2, pad_mode="same")
        self.head = nn.Dense(2 * width, outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, channels, height, width) to (batch, outputs)."""
        x = self.pool(ops.relu(self.conv1(data)))  # (batch, width, height / 2, width / 2)
        x = ops.relu(self.conv2(x))
        return self.head(x.mean((2, 3)))
