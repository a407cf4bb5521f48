"""The networks, as a user of MindSpore writes them."""

import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from ..cases import HEADS, Case


class Block(nn.Cell):
    """Attention and two dense layers, pre-norm."""

    def __init__(self, width: int, length: int):
        super().__init__()
        self.width = width
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width, has_bias=False)
        self.value = nn.Dense(width, width)
        self.out = nn.Dense(width, width)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.up = nn.Dense(width, 4 * width)
        self.down = nn.Dense(4 * width, width)
        self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

    def construct(self, x: Tensor) -> Tensor:
        """Map (batch, tokens, width) to the same shape."""
        y = self.norm1(x)
        q, k, v = self.split(self.query(y)), self.split(self.key(y)), self.split(self.value(y))
        likeness = ops.matmul(q, k.transpose(0, 1, 3, 2)) / (self.width // HEADS) ** 0.5
        y = ops.matmul(ops.softmax(likeness + self.mask, -1), v)
        x = x + self.out(y.transpose(0, 2, 1, 3).reshape(x.shape))
        y = self.up(self.norm2(x))
        return x + self.down(y * ops.sigmoid(1.702 * y))

    def split(self, x: Tensor) -> Tensor:
        """Map (batch, tokens, width) to (batch, heads, tokens, d)."""
        return x.reshape(x.shape[0], x.shape[1], HEADS, -1).transpose(0, 2, 1, 3)


class GPT(nn.Cell):
    """A small transformer."""

    def __init__(self, case: Case):
        super().__init__()
        width, length = case.width, case.shape[0]
        self.embedding = Parameter(ops.zeros((case.outputs, width)), name="embedding")
        self.position = Parameter(ops.zeros((length, width)), name="position")
        self.blocks = nn.SequentialCell([Block(width, length) for _ in range(case.depth)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.head = nn.Dense(width, case.outputs, has_bias=False)

    def construct(self, tokens: Tensor) -> Tensor:
        """Map (batch, length) to logits (batch, outputs, length)."""
        x = self.blocks(ops.gather(self.embedding, tokens, 0) + self.position)
        return self.head(self.norm(x)).transpose(0, 2, 1)


class CNN(nn.Cell):
    """Two convolutions and a dense layer."""

    def __init__(self, case: Case):
        super().__init__()
        channels, side, _ = case.shape
        self.conv1 = nn.Conv2d(channels, case.width, 3, has_bias=True)
        self.conv2 = nn.Conv2d(case.width, 2 * case.width, 3, has_bias=True)
        self.pool = nn.MaxPool2d(2, 2, pad_mode="same")
        self.flatten = nn.Flatten()
        self.head = nn.Dense(2 * case.width * (-(-side // 4)) ** 2, case.outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map images to logits."""
        x = self.pool(ops.relu(self.conv1(data)))
        return self.head(self.flatten(self.pool(ops.relu(self.conv2(x)))))


def create(case: Case, arrays: dict[str, np.ndarray]) -> tuple[nn.Cell, nn.Cell]:
    """Make the network with the case's first weights, and the loss."""
    if case.network == "cnn":
        network = CNN(case)
    elif case.network == "gpt":
        network = GPT(case)
    else:
        layers: list[nn.Cell] = []
        widths = [int(np.prod(case.shape)), *[case.width] * case.depth, case.outputs]
        for n, m in zip(widths, widths[1:]):
            layers += [nn.Dense(n, m), nn.ReLU()]
        network = nn.SequentialCell(layers[:-1])
    weights = [arrays[name] for name in sorted(arrays) if name.startswith("w")]
    for parameter, weight in zip(network.trainable_params(), weights, strict=True):
        ops.assign(parameter, Tensor(weight))
    return network, nn.MSELoss() if case.outputs == 1 else nn.CrossEntropyLoss()
