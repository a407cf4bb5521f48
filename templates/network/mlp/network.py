"""A multilayer perceptron."""

import math

from mindspore import Tensor, nn, ops


class MLP(nn.Cell):
    """Dense layers with ReLU between them.

    The weights start as in K. He et al., *Delving deep into rectifiers*, 2015: ReLU then keeps the
    size of the signal from layer to layer.

    Args:
        shape: shape of one row; it is flattened.
        outputs: width of the last layer.
        width: width of each hidden layer.
        depth: number of hidden layers.
    """

    def __init__(self, shape: tuple[int, ...], outputs: int, width: int = 128, depth: int = 2):
        super().__init__()
        widths = [math.prod(shape), *[width] * depth]
        self.hidden = nn.CellList(
            [nn.Dense(n, m, weight_init="he_uniform") for n, m in zip(widths, widths[1:])]
        )
        self.head = nn.Dense(widths[-1], outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, *shape) to (batch, outputs)."""
        x = data.reshape((data.shape[0], -1))
        for layer in self.hidden:
            x = ops.relu(layer(x))
        return self.head(x)
