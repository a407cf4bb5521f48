"""A vision transformer."""

import math

from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer

from .engine.errors import InputError


class Attention(nn.Cell):
    r"""Multi-head self-attention: each token takes the mean of all, weighted by likeness.

    .. math:: softmax(Q K^T / \sqrt{d}) V, \quad d = width / heads, \text{ for each head}

    A. Vaswani et al., *Attention is all you need*, 2017.

    Args:
        width: width of a token.
        heads: number of heads; it divides ``width``.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.scale = 1 / math.sqrt(width // heads)
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width, has_bias=False)  # softmax would ignore a bias
        self.value = nn.Dense(width, width)
        self.out = nn.Dense(width, width)

    def construct(self, x: Tensor) -> Tensor:
        """Map (batch, tokens, width) to (batch, tokens, width)."""
        q = self.split(self.query(x))  # (batch, heads, tokens, d)
        k = self.split(self.key(x))
        v = self.split(self.value(x))
        # one row of weights a query: (batch, heads, tokens, tokens)
        weights = ops.softmax(ops.matmul(q, k.transpose((0, 1, 3, 2))) * self.scale, -1)
        y = ops.matmul(weights, v)  # (batch, heads, tokens, d)
        return self.out(y.transpose((0, 2, 1, 3)).reshape(x.shape))  # (batch, tokens, width)

    def split(self, x: Tensor) -> Tensor:
        """Map (batch, tokens, width) to (batch, heads, tokens, d)."""
        batch, tokens, _ = x.shape
        return x.reshape((batch, tokens, self.heads, -1)).transpose((0, 2, 1, 3))


class Block(nn.Cell):
    """Attention, then two dense layers on each token; each adds to a normalised input (pre-norm).

    Args:
        width: width of a token.
        heads: number of heads.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-6)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-6)
        self.up = nn.Dense(width, 4 * width)
        self.gelu = nn.GELU(approximate=False)
        self.down = nn.Dense(4 * width, width)

    def construct(self, x: Tensor) -> Tensor:
        """Map (batch, tokens, width) to (batch, tokens, width)."""
        x = x + self.attention(self.norm1(x))
        return x + self.down(self.gelu(self.up(self.norm2(x))))


class ViT(nn.Cell):
    """Cut the image into square patches and let a transformer read them as its tokens.

    All tokens, one after the other, go into the last layer, which then knows where each of the few
    patches of a small image lies; the paper has a class token instead. A. Dosovitskiy et al., *An
    image is worth 16x16 words: transformers for image recognition at scale*, 2021.

    Args:
        shape: (channels, height, width) of one image.
        outputs: width of the last layer.
        patch: side of a patch in pixels; it divides height and width.
        width: width of a token.
        depth: number of blocks.
        heads: attention heads in each block; it divides ``width``.

    Raises:
        InputError: ``shape`` is not that of an image, or ``patch`` or ``heads`` does not divide.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        outputs: int,
        patch: int = 2,
        width: int = 32,
        depth: int = 3,
        heads: int = 4,
    ):
        super().__init__()
        if len(shape) != 3:
            raise InputError(
                f"a vision transformer reads images, (channels, height, width), and the rows have "
                f"shape {shape}: vectors are for the networks mlp and linear"
            )
        channels, *size = shape
        if any(side % patch for side in size):
            raise InputError(
                f"patch {patch} does not divide images of {size[0]} x {size[1]} pixels: "
                f"use one of {divisors(math.gcd(*size))}"
            )
        if width % heads:
            raise InputError(
                f"heads {heads} does not divide width {width}: use one of {divisors(width)}"
            )
        self.patch = patch
        tokens = math.prod(size) // patch**2
        self.embedding = nn.Dense(channels * patch**2, width)
        self.position = Parameter(initializer(Normal(0.02), (tokens, width)), name="position")
        self.blocks = nn.CellList([Block(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-6)
        self.head = nn.Dense(tokens * width, outputs)

    def construct(self, data: Tensor) -> Tensor:
        """Map (batch, channels, height, width) to (batch, outputs)."""
        x = self.embedding(self.patches(data)) + self.position  # (batch, tokens, width)
        for block in self.blocks:
            x = block(x)
        x = self.norm(x).reshape((x.shape[0], -1))  # (batch, tokens * width)
        return self.head(x)

    def patches(self, data: Tensor) -> Tensor:
        """Map (batch, channels, height, width) to (batch, tokens, channels * patch * patch)."""
        batch, channels, height, width = data.shape
        rows, columns, side = height // self.patch, width // self.patch, self.patch
        x = data.reshape((batch, channels, rows, side, columns, side))
        x = x.transpose((0, 2, 4, 1, 3, 5))  # (batch, rows, columns, channels, side, side)
        return x.reshape((batch, rows * columns, channels * side * side))


def divisors(number: int) -> str:
    """List the numbers that divide ``number``, as text."""
    return ", ".join(str(d) for d in range(1, number + 1) if number % d == 0)
