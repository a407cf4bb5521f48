"""A linear model."""

import math

from mindspore import Tensor, nn


class Linear(nn.Cell):
    """One dense layer: linear regression, or the logits of a softmax regression.

    Args:
        shape: shape of one row; it is flattened.
        outputs: width of the layer.
    """

    def __init__(self, shape: tuple[int, ...], outputs: int):
        super().__init__()
        self.head = nn.Dense(math.prod(shape), outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, *shape) to (batch, outputs)."""
        return self.head(data.reshape((data.shape[0], -1)))
