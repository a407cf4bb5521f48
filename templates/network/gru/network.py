"""Gated recurrent units."""

import math

from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, Uniform, initializer


class GRU(nn.Cell):
    r"""Predict each next token from a hidden state that every token updates.

    .. math::
        r &= \sigma(W_r x + U_r h + b_r), \quad z = \sigma(W_z x + U_z h + b_z) \\
        n &= \tanh(W_n x + b_n + r \odot (U_n h + c)), \quad h \leftarrow n + z \odot (h - n)

    K. Cho et al., *Learning phrase representations using RNN encoder-decoder*, 2014, with the reset
    gate :math:`r` after the product, as in cuDNN. ``nn.GRU`` has the same formula and takes three
    times as long on a CPU.

    Args:
        outputs: number of different tokens.
        embedding: width of a token on its way in.
        width: units of the hidden state.
    """

    def __init__(self, outputs: int, embedding: int = 64, width: int = 128):
        super().__init__()
        self.width = width
        uniform = Uniform(1 / math.sqrt(width))
        self.embedding = Parameter(initializer(Normal(1.0), (outputs, embedding)), name="embedding")
        self.input = nn.Dense(embedding, 3 * width, weight_init=uniform)
        self.hidden = nn.Dense(width, 3 * width, weight_init=uniform)
        self.head = nn.Dense(width, outputs, weight_init=uniform)

    def construct(self, tokens: Tensor) -> Tensor:
        """Map (batch, length), int32, to the next tokens' logits (batch, length, outputs)."""
        # all inputs at once, outside the recurrence
        inputs = self.input(ops.gather(self.embedding, tokens.T, 0))  # (length, batch, 3 * width)
        h = ops.zeros_like(inputs[0, :, : self.width])
        states: tuple[Tensor, ...] = ()
        for x in ops.split(inputs, 1):
            x = x.reshape(x.shape[1:])
            h = self.update(x, h)
            states += (h,)
        return self.head(ops.stack(states, 1))

    def update(self, x: Tensor, h: Tensor) -> Tensor:
        """Return the hidden state (batch, width) after an input (batch, 3 * width)."""
        x_gates, x_new = ops.split(x, (2 * self.width, self.width), 1)
        h_gates, h_new = ops.split(self.hidden(h), (2 * self.width, self.width), 1)
        r, z = ops.split(ops.sigmoid(x_gates + h_gates), self.width, 1)
        n = ops.tanh(x_new + r * h_new)
        return n + z * (h - n)

    def start(self) -> Tensor:
        """Return the state before the first token: zeros, (1, width)."""
        return ops.zeros((1, self.width))

    def step(self, token: Tensor, position: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Read one token more.

        Args:
            token: (1, 1), int32.
            position: (1,), int32: how many were read before; the state knows what it needs of it.
            state: what ``start`` or the last step returned.

        Returns:
            The next token's logits, (outputs,), and the state.
        """
        x = self.input(ops.gather(self.embedding, token.reshape((1,)), 0))
        state = self.update(x, state)
        return self.head(state).reshape((-1,)), state
