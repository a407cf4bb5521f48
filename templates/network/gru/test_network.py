"""The recurrent network against plain NumPy."""

import math

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from package.network import GRU


def tokens(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(7, size=shape).astype(np.int32)


def network_and_weights() -> tuple[GRU, dict[str, np.ndarray]]:
    """A small network with every parameter drawn anew, and its weights by name."""
    network = GRU(7, embedding=3, width=4)
    rng = np.random.default_rng(1)
    for parameter in network.trainable_params():
        parameter.set_data(Tensor(0.5 * rng.standard_normal(parameter.shape).astype(np.float32)))
    return network, {p.name: p.asnumpy().astype(np.float64) for p in network.trainable_params()}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def logits_of(data: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """Go through each row token by token."""
    w, u = (np.split(weights[f"{name}.weight"], 3) for name in ("input", "hidden"))
    b, c = (np.split(weights[f"{name}.bias"], 3) for name in ("input", "hidden"))
    logits = np.zeros((*data.shape, 7))
    for row, line in enumerate(data):
        h = np.zeros(4)
        for t, token in enumerate(line):
            x = weights["embedding"][token]
            r = sigmoid(w[0] @ x + b[0] + u[0] @ h + c[0])
            z = sigmoid(w[1] @ x + b[1] + u[1] @ h + c[1])
            n = np.tanh(w[2] @ x + b[2] + r * (u[2] @ h + c[2]))
            h = (1 - z) * n + z * h
            logits[row, t] = weights["head.weight"] @ h + weights["head.bias"]
    return logits


def test_forward_pass_equals_numpy():
    """Oracle: the formula in float64 NumPy, one token of one row at a time."""
    network, weights = network_and_weights()
    data = tokens(3, 6)
    found = network(Tensor(data)).asnumpy()
    np.testing.assert_allclose(found, logits_of(data, weights), rtol=1e-4, atol=1e-5)


def test_hidden_states_are_those_of_the_library():
    """Oracle: ``nn.GRU`` with the same weights."""
    network, _ = network_and_weights()
    library = nn.GRU(3, 4, batch_first=True)
    for own, other in zip(
        (network.input.weight, network.hidden.weight, network.input.bias, network.hidden.bias),
        library.trainable_params(),
    ):
        other.set_data(own)
    data = Tensor(tokens(3, 6))
    states, _ = library(ops.gather(network.embedding, data, 0))
    expected = network.head(states).asnumpy()
    np.testing.assert_allclose(network(data).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_steps_are_the_forward_pass():
    """Oracle: the same in NumPy: token by token the logits are those of the whole row."""
    network, weights = network_and_weights()
    data = tokens(1, 5)
    expected = logits_of(data, weights)[0]
    state = network.start()
    for i in range(5):
        logits, state = network.step(Tensor(data[:, i : i + 1]), Tensor([i], ms.int32), state)
        np.testing.assert_allclose(logits.asnumpy(), expected[i], rtol=1e-4, atol=1e-5)


def test_a_later_token_changes_no_earlier_logit():
    """Oracle: the logits before the change, to the bit."""
    network, _ = network_and_weights()
    data = tokens(2, 6)
    before = network(Tensor(data)).asnumpy()
    for i in range(6):
        changed = data.copy()
        changed[:, i] = (changed[:, i] + 1) % 7
        after = network(Tensor(changed)).asnumpy()
        np.testing.assert_array_equal(after[:, :i], before[:, :i])
        assert (after[:, i:] != before[:, i:]).any(2).all()


def test_untrained_network_knows_nothing():
    """Oracle: all 256 tokens equally likely, log 256 nats each."""
    ms.set_seed(0)
    logits = GRU(256, 16, 32)(Tensor(tokens(8, 8))).asnumpy().astype(np.float64)
    nats = np.log(np.exp(logits).sum(2)) - logits[..., 0]
    assert nats.mean() == pytest.approx(math.log(256), abs=0.1)


def test_parameters():
    """Oracle: counted by hand; three gates, each with a bias on both sides."""
    sizes = {p.name: p.size for p in GRU(256, 8, 16).trainable_params()}
    assert sizes == {
        "embedding": 256 * 8,
        "input.weight": 3 * 16 * 8,
        "input.bias": 3 * 16,
        "hidden.weight": 3 * 16 * 16,
        "hidden.bias": 3 * 16,
        "head.weight": 256 * 16,
        "head.bias": 256,
    }
