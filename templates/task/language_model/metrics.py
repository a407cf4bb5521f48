"""What a language model is judged by."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from mindspore import Tensor, ops

from .engine.pictures import create_figure, save
from .engine.rows import Dataset

ROWS = 128
"""rows in one launch of the compiled evaluation; no metric depends on it"""


def observe(logits: Tensor, label: Tensor) -> Tensor:
    """Choose what leaves the graph: the negative log-likelihood of each byte, (batch, length).

    It is in nats, without what the loss may add to it, and 256 times less to carry to the host than
    the logits.
    """
    log_p = ops.log_softmax(logits, 2)
    return -ops.gather_elements(log_p, 2, label.expand_dims(2)).squeeze(2)


def create_measure(dataset: Dataset) -> Callable[[np.ndarray, np.ndarray], dict[str, float]]:
    r"""Make ``measure(nats, label) -> metrics`` for (rows, length) each.

    It gives ``bits_per_byte``, and ``perplexity``: how many equally likely bytes are as hard.

    .. math:: bits = -\frac{1}{N} \sum_i \log_2 p_i, \quad perplexity = 2^{bits}
    """

    def measure(nats: np.ndarray, label: np.ndarray) -> dict[str, float]:
        mean = nats.mean(dtype=np.float64)
        with np.errstate(over="ignore"):  # infinite where it cannot be said
            return {"bits_per_byte": float(mean / math.log(2)), "perplexity": float(np.exp(mean))}

    return measure


def draw(nats: np.ndarray, label: np.ndarray, dataset: Dataset, path: Path) -> None:
    """Draw into ``path`` the bits of a byte against how many bytes before it the network sees.

    Args:
        nats: (rows, length).
        label: not used.
        dataset: not used.
        path: of the picture, PNG.
    """
    figure = create_figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(np.arange(1, nats.shape[1] + 1), nats.mean(axis=0) / math.log(2))
    axes.set(xlabel="bytes seen", ylabel="bits of the next byte")
    save(figure, path)


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: a low loss."""
    return -metrics["loss"]
