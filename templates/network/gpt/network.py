"""A transformer that looks back only."""

import math

import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer

from .engine.cpu.gelu import fast_gelu
from .engine.cpu.layer_norm import create_layer_norm
from .engine.cpu.softmax import create_softmax
from .engine.errors import InputError

HIDDEN = -3e4
"""added to the likeness of a token that must not be seen: its weight is then exactly 0"""
EPSILON = 1e-5
"""added to the variance of a token, whose root divides it"""


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
        self.softmax = create_softmax()
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


class Block(nn.Cell):
    """Attention, then two dense layers on each token; each adds to a normalised input (pre-norm).

    Args:
        width: width of a token.
        heads: number of heads.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm1 = create_layer_norm(width, EPSILON)
        self.attention = Attention(width, heads)
        self.norm2 = create_layer_norm(width, EPSILON)
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
        return x + self.down(fast_gelu(self.up(self.norm2(x))))


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
        self.norm = create_layer_norm(width, EPSILON)
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
