"""The transformer against plain NumPy."""

import math

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.engine.errors import InputError
from package.network import GPT


def tokens(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(7, size=shape).astype(np.int32)


def network_and_weights(length: int) -> tuple[GPT, dict[str, np.ndarray]]:
    """A small network with every parameter drawn anew, so that none is 0 or 1."""
    network = GPT(length, 7, width=6, depth=2, heads=3)
    rng = np.random.default_rng(1)
    for parameter in network.trainable_params():
        parameter.set_data(Tensor(0.5 * rng.standard_normal(parameter.shape).astype(np.float32)))
    return network, {p.name: p.asnumpy().astype(np.float64) for p in network.trainable_params()}


def dense(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    return x @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0)


def layer_norm(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return x * weights[f"{name}.gamma"] + weights[f"{name}.beta"]


def attention(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    """Attend row by row, head by head and query by query, to the tokens up to the query."""
    q, k, v = (dense(x, weights, f"{name}.{part}") for part in ("query", "key", "value"))
    y, d = np.zeros_like(q), 2
    for b, h, i in np.ndindex(len(x), 3, x.shape[1]):
        part = slice(h * d, (h + 1) * d)
        likeness = np.exp(k[b, : i + 1, part] @ q[b, i, part] / math.sqrt(d))
        y[b, i, part] = likeness @ v[b, : i + 1, part] / likeness.sum()
    return dense(y, weights, f"{name}.out")


def gelu(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(-1.702 * x))


def logits_of(data: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    x = weights["embedding"][data] + weights["position"]
    for i in range(2):
        name = f"blocks.{i}"
        x = x + attention(layer_norm(x, weights, f"{name}.norm1"), weights, f"{name}.attention")
        y = gelu(dense(layer_norm(x, weights, f"{name}.norm2"), weights, f"{name}.up"))
        x = x + dense(y, weights, f"{name}.down")
    return layer_norm(x, weights, "norm") @ weights["head.weight"].T


def test_forward_pass_equals_numpy():
    """Oracle: the formulas in float64 NumPy, attention one weighted mean at a time."""
    network, weights = network_and_weights(length=5)
    data = tokens(3, 5)
    found = network(Tensor(data)).asnumpy()
    np.testing.assert_allclose(found, logits_of(data, weights), rtol=1e-3, atol=1e-3)


def test_steps_are_the_forward_pass():
    """Oracle: the same in NumPy: token by token the logits are those of the whole row."""
    network, weights = network_and_weights(length=5)
    data = tokens(1, 5)
    expected = logits_of(data, weights)[0]
    state = network.start()
    for i in range(5):
        logits, state = network.step(Tensor(data[:, i : i + 1]), Tensor([i], ms.int32), state)
        np.testing.assert_allclose(logits.asnumpy(), expected[i], rtol=1e-3, atol=1e-3)


def test_a_later_token_changes_no_earlier_logit():
    """Oracle: the logits before the change, to the bit."""
    network, _ = network_and_weights(length=8)
    data = tokens(2, 8)
    before = network(Tensor(data)).asnumpy()
    for i in range(8):
        changed = data.copy()
        changed[:, i] = (changed[:, i] + 1) % 7
        after = network(Tensor(changed)).asnumpy()
        np.testing.assert_array_equal(after[:, :i], before[:, :i])
        assert (after[:, i:] != before[:, i:]).any(2).all()


def test_untrained_network_knows_nothing():
    """Oracle: all 256 tokens equally likely, log 256 nats each."""
    ms.set_seed(0)
    logits = GPT(16, 256, width=32, depth=2)(Tensor(tokens(8, 16))).asnumpy().astype(np.float64)
    nats = np.log(np.exp(logits).sum(2)) - logits[..., 0]
    assert nats.mean() == pytest.approx(math.log(256), abs=0.1)


def test_parameters():
    """Oracle: counted by hand; a head without a bias, keys without a bias."""
    network = GPT(16, 256, width=8, depth=2, heads=2)
    block = 2 * 2 * 8 + (4 * 8 * 8 + 3 * 8) + (8 * 32 + 32) + (32 * 8 + 8)
    parameters = network.trainable_params()
    assert sum(p.size for p in parameters) == 256 * 8 + 16 * 8 + 2 * block + 2 * 8 + 8 * 256
    assert {p.name for p in parameters} >= {"position", "blocks.1.attention.query.weight"}


def test_refuses_heads_that_do_not_fit():
    """Oracle: the divisors of 6, by hand."""
    with pytest.raises(InputError, match=r"heads 4 .* width 6: use one of 1, 2, 3, 6$"):
        GPT(8, 256, width=6, heads=4)
