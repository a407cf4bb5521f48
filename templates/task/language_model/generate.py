"""Text from a trained network, one byte after the other."""

import sys
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from .build import create_network
from .config import Config
from .engine import checkpoint, runtime
from .text import TextForm

EMPTY = b"\n"
"""what a network reads in place of an empty prompt; it is not printed"""


class Predictor:
    """Logits of the byte that follows a text, by one compiled step of the network.

    The step takes one byte and what the network keeps of those before it, so a longer text costs
    only its new bytes. A network has been trained on rows of ``length`` bytes, so a prediction
    looks back on ``length`` at most: see ``context_start``.

    Args:
        network: a cell with ``start`` and ``step``.
        length: bytes in a row.
        execution: as in ``Config``.
    """

    def __init__(self, network: nn.Cell, length: int, execution: str):
        def step(token, position, state):
            return network.step(token, position, state)

        self.network = network
        self.length = length
        self.step = runtime.compiled(step, execution)
        self.start = self.read = -1

    def __call__(self, text: bytes | bytearray) -> np.ndarray:
        """Return the logits (256,) after ``text``: at least a byte, and longer than the last."""
        start = context_start(len(text), self.length)
        if start != self.start:
            self.start = self.read = start
            self.state = self.network.start()
        for i in range(self.read, len(text)):
            token, position = Tensor([[text[i]]], ms.int32), Tensor([i - start], ms.int32)
            logits, self.state = self.step(token, position, self.state)
        self.read = len(text)
        return logits.asnumpy()


def context_start(size: int, length: int) -> int:
    """Return where in a text of ``size`` bytes the prediction of the next starts to look.

    It is the start as long as the text is not longer than a row. After that it jumps ahead by half
    a row whenever the row is full, so that half of it is read anew and not all of it at every byte.
    """
    half = max(1, length // 2)
    return max(0, -(-(size - length) // half) * half)


def draw(logits: np.ndarray, temperature: float, top_k: int, rng: np.random.Generator) -> int:
    r"""Draw a byte from the ``top_k`` most likely, with probabilities

    .. math:: p_i \propto e^{l_i / temperature}

    Args:
        logits: (256,).
        temperature: below 1 makes likely bytes likelier, 0 always takes the likeliest.
        top_k: bytes to draw from.
        rng: where the draw comes from.
    """
    if temperature == 0:
        return int(logits.argmax())
    likeliest = np.argsort(-logits, kind="stable")[:top_k]
    likeness = np.exp((logits[likeliest].astype(np.float64) - logits.max()) / temperature)
    return int(rng.choice(likeliest, p=likeness / likeness.sum()))


def generate(
    config: Config, path: Path, prompt: str, size: int, temperature: float, top_k: int
) -> bytes:
    """Print ``prompt`` and ``size`` bytes that continue it, and return both.

    The draws depend on ``config.seed`` alone. Bytes that are no UTF-8, as half a character at the
    end, are printed as U+FFFD.

    Args:
        config: settings of the run that made the weights.
        path: the checkpoint.
        prompt: how the text begins.
        size: bytes to add.
        temperature: see ``draw``.
        top_k: see ``draw``.
    """
    runtime.start(config.device, config.execution, config.seed)
    length = config.dataset.length
    network = create_network(config, TextForm((length,)))
    checkpoint.load(network, path)
    network.set_train(False)

    predict = Predictor(network, length, config.execution)
    rng = np.random.default_rng(config.seed)
    start = prompt.encode("utf-8", "surrogateescape")
    text = bytearray(start or EMPTY)
    for _ in range(size):
        text.append(draw(predict(text), temperature, top_k, rng))
    result = bytes(text if start else text[len(EMPTY) :])
    sys.stdout.buffer.write(result.decode("utf-8", "replace").encode() + b"\n")
    return result
