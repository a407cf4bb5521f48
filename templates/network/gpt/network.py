"""A transformer that looks back only."""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer

from .engine.errors import InputError

HIDDEN = -1e9
"""added to the likeness of a token that must not be seen: its weight is then exactly 0"""
EPSILON = 1e-5
"""added to the variance of a token, whose root divides it"""


class Softmax(nn.Cell):
    r"""Softmax of the last axis.

    The gradient by its input, from the output :math:`p` and the gradient :math:`g` by it,

    .. math:: p (g - \sum_j p_j g_j)

    is written out with ``total`` and ``spread``: a third of the time of MindSpore's on a CPU.
    """

    def construct(self, x: Tensor) -> Tensor:
        """Map (..., n) to the same shape, of which each row sums to 1."""
        return ops.softmax(x, -1)

    def bprop(self, x: Tensor, p: Tensor, g: Tensor) -> tuple[Tensor]:
        """Return the gradient by ``x``."""
        n = p.shape[-1]
        along = spread(total((p * g).reshape((-1, n))), n)
        return (p * (g - along.reshape(p.shape)),)


class Attention(nn.Cell):
    r"""Multi-head causal self-attention: each token takes the mean of those up to it, by likeness.

    .. math:: softmax(Q K^T / \sqrt{d} + M) V, \quad d = width / heads, \text{ for each head}

    The mask :math:`M` is 0 for the tokens up to the query and hides those after it. A. Vaswani et
    al., *Attention is all you need*, 2017.

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
        self.softmax = Softmax()
        self.product = ops.BatchMatMul()
        self.product_transposed = ops.BatchMatMul(transpose_b=True)

    def construct(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, tokens, width) to the same shape; ``mask`` is (tokens, tokens)."""
        return self.attend(x, self.split(self.key(x)), self.split(self.value(x)), mask)

    def step(self, x: Tensor, here: Tensor, mask: Tensor, cache: Tensor) -> tuple[Tensor, Tensor]:
        """Map one token, (1, 1, width), with the keys and values of those before it.

        Args:
            x: the token.
            here: (tokens, 1), true at its position.
            mask: (tokens,), hides what comes after it.
            cache: (2, 1, heads, tokens, d), keys and values.

        Returns:
            The token, (1, 1, width), and the cache with its key and value.
        """
        k = ops.where(here, self.split(self.key(x)), cache[0])
        v = ops.where(here, self.split(self.value(x)), cache[1])
        return self.attend(x, k, v, mask), ops.stack((k, v))

    def attend(self, x: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        """Ask keys and values (batch, heads, tokens, d) for each token of ``x``."""
        q = self.split(self.query(x) * self.scale)
        likeness = self.product_transposed(q, k) + mask
        y = self.product(self.softmax(likeness), v)
        return self.out(y.transpose((0, 2, 1, 3)).reshape(x.shape))

    def split(self, x: Tensor) -> Tensor:
        """Map (batch, tokens, width) to (batch, heads, tokens, d)."""
        batch, tokens, _ = x.shape
        return x.reshape((batch, tokens, self.heads, -1)).transpose((0, 2, 1, 3))


class RowNorm(nn.LayerNorm):
    """``nn.LayerNorm`` of the last axis, in float32; on a CPU it takes a quarter of the time.

    J. L. Ba et al., *Layer normalization*, 2016.

    Args:
        width: length of the last axis.
    """

    def __init__(self, width: int):
        super().__init__((width,), epsilon=EPSILON)

    def construct(self, x: Tensor) -> Tensor:
        """Map (..., width) to the same shape."""
        width = x.shape[-1]
        rows = x.reshape((-1, width)).astype(ms.float32)
        rows = rows - spread(total(rows) / width, width)
        scale = ops.rsqrt(total(rows * rows) / width + EPSILON)
        rows = rows * spread(scale, width)
        return ops.bias_add(rows * self.gamma, self.beta).reshape(x.shape).astype(x.dtype)


def create_norm(width: int) -> nn.Cell:
    """Make a layer normalisation; devices other than a CPU have a good kernel for it."""
    on_cpu = ms.get_context("device_target") == "CPU"
    return RowNorm(width) if on_cpu else nn.LayerNorm((width,), epsilon=EPSILON)


class Block(nn.Cell):
    """Attention, then two dense layers on each token; each adds to a normalised input (pre-norm).

    Args:
        width: width of a token.
        heads: number of heads.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm1 = create_norm(width)
        self.attention = Attention(width, heads)
        self.norm2 = create_norm(width)
        self.up = nn.Dense(width, 4 * width)
        self.down = nn.Dense(4 * width, width)

    def construct(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map (batch, tokens, width) to the same shape."""
        return self.feed(x + self.attention(self.norm1(x), mask))

    def step(self, x: Tensor, here: Tensor, mask: Tensor, cache: Tensor) -> tuple[Tensor, Tensor]:
        """Map one token and its layer's cache, as ``Attention.step`` does."""
        y, cache = self.attention.step(self.norm1(x), here, mask, cache)
        return self.feed(x + y), cache

    def feed(self, x: Tensor) -> Tensor:
        """Add the two dense layers."""
        return x + self.down(gelu(self.up(self.norm2(x))))


class GPT(nn.Cell):
    """Predict each next token from those before it, by a transformer.

    Pre-norm blocks and learned positions, as in A. Radford et al., *Language models are
    unsupervised multitask learners* (GPT-2), 2019.

    Args:
        length: tokens in a row, the most that a prediction looks back on.
        outputs: number of different tokens.
        width: width of a token inside.
        depth: number of blocks.
        heads: attention heads in each block; it divides ``width``.

    Raises:
        InputError: ``heads`` does not divide ``width``.
    """

    def __init__(self, length: int, outputs: int, width: int = 64, depth: int = 2, heads: int = 4):
        super().__init__()
        if width % heads:
            divisors = ", ".join(str(d) for d in range(1, width + 1) if width % d == 0)
            raise InputError(f"heads {heads} does not divide width {width}: use one of {divisors}")
        self.cache_shape = (depth, 2, 1, heads, length, width // heads)
        self.embedding = Parameter(initializer(Normal(0.02), (outputs, width)), name="embedding")
        self.position = Parameter(initializer(Normal(0.02), (length, width)), name="position")
        self.blocks = nn.CellList([Block(width, heads) for _ in range(depth)])
        self.norm = create_norm(width)
        self.head = nn.Dense(width, outputs, weight_init=Normal(0.02), has_bias=False)
        self.masks = Tensor(np.triu(np.full((length, length), HIDDEN, np.float32), 1))

    def construct(self, tokens: Tensor) -> Tensor:
        """Map (batch, length), int32, to the next tokens' logits (batch, length, outputs)."""
        x = ops.gather(self.embedding, tokens, 0) + self.position
        for block in self.blocks:
            x = block(x, self.masks)
        return self.head(self.norm(x))

    def start(self) -> Tensor:
        """Return the state before the first token: an empty cache of keys and values.

        It is (depth, 2, 1, heads, length, d), whatever the number of tokens.
        """
        return ops.zeros(self.cache_shape)

    def step(self, token: Tensor, position: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Read one token more.

        Args:
            token: (1, 1), int32.
            position: (1,), int32: how many were read before, less than ``length``.
            state: what ``start`` or the last step returned.

        Returns:
            The next token's logits, (outputs,), and the state.
        """
        mask = ops.gather(self.masks, position, 0).reshape((-1,))
        here = ops.arange(self.position.shape[0]).expand_dims(1) == position
        x = ops.gather(self.embedding, token, 0) + ops.gather(self.position, position, 0)
        caches = []
        for i, block in enumerate(self.blocks):
            x, cache = block.step(x, here, mask, state[i])
            caches.append(cache)
        return self.head(self.norm(x)).reshape((-1,)), ops.stack(caches)


def gelu(x: Tensor) -> Tensor:
    """Return x sigmoid(1.702 x), the quick form of GELU in its paper.

    D. Hendrycks and K. Gimpel, *Gaussian error linear units*, 2016. On a CPU MindSpore's exact form
    takes ten times as long.
    """
    return x * ops.sigmoid(1.702 * x)


def total(rows: Tensor) -> Tensor:
    """Sum each row of (rows, n): (rows, 1).

    As a product with a column of ones: on a CPU MindSpore does products on all cores, and sums over
    the last axis, and the spreading of a column over it, on one.
    """
    return ops.MatMul()(rows, ops.ones((rows.shape[1], 1), rows.dtype))


def spread(column: Tensor, width: int) -> Tensor:
    """Repeat (rows, 1) to (rows, width), as a product with a row of ones; see ``total``."""
    return ops.MatMul()(column, ops.ones((1, width), column.dtype))
