"""What a language model is judged by."""

import math

import numpy as np


def metrics(nats: np.ndarray) -> dict[str, float]:
    r"""Return ``bits_per_byte``, and ``perplexity``: how many equally likely bytes are as hard.

    .. math:: bits = -\frac{1}{N} \sum_i \log_2 p_i, \quad perplexity = 2^{bits}

    Args:
        nats: the negative log-likelihood of every byte, of any shape.
    """
    mean = nats.mean(dtype=np.float64)
    with np.errstate(over="ignore"):  # infinite where it cannot be said
        return {"bits_per_byte": float(mean / math.log(2)), "perplexity": float(np.exp(mean))}
