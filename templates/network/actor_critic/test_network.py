"""The actor and the critic against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.network import ActorCritic


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("deviations", [0, 2])
def test_shapes(deviations: int):
    """Oracle: the signature, (batch, *shape) to (batch, outputs + 1)."""
    network = ActorCritic((2, 3), 4, deviations, width=8)
    assert network(Tensor(rows(6, 2, 3))).shape == (6, 5)


@pytest.mark.parametrize("deviations", [0, 2])
@pytest.mark.parametrize("depth", [1, 3])
def test_forward_pass_equals_numpy(depth: int, deviations: int):
    """Oracle: NumPy's tanh(x W^T + b) layer by layer, with the network's own weights."""
    network = ActorCritic((2, 3), 4, deviations, width=8, depth=depth)
    data = rows(5, 2, 3)

    def perceptron(cell) -> np.ndarray:
        x = data.reshape(5, 6)
        *hidden, head = zip(*[iter([p.asnumpy() for p in cell.trainable_params()])] * 2)
        assert len(hidden) == depth
        for weight, bias in hidden:
            x = np.tanh(x @ weight.T + bias)
        return x @ head[0].T + head[1]

    expected = [perceptron(network.actor), perceptron(network.critic)]
    if deviations:
        network.log_deviation.set_data(Tensor([[0.5, -0.25]], ms.float32))
        expected.insert(1, np.repeat([[0.5, -0.25]], 5, axis=0))
    output = network(Tensor(data)).asnumpy()
    np.testing.assert_allclose(output, np.concatenate(expected, 1), rtol=1e-5, atol=1e-6)


def test_parameters():
    """Oracle: counted by hand; two outputs are deviations, so the actor has the other two."""
    network = ActorCritic((3,), 4, deviations=2, width=16, depth=2)
    sizes = {p.name: p.size for p in network.trainable_params()}
    assert sizes == {
        "log_deviation": 2,
        "actor.0.weight": 48,
        "actor.0.bias": 16,
        "actor.2.weight": 256,
        "actor.2.bias": 16,
        "actor.4.weight": 32,
        "actor.4.bias": 2,
        "critic.0.weight": 48,
        "critic.0.bias": 16,
        "critic.2.weight": 256,
        "critic.2.bias": 16,
        "critic.4.weight": 16,
        "critic.4.bias": 1,
    }


def test_first_weights_are_orthogonal():
    """Oracle: W^T W is the square of the gain, 2 in the hidden layers, 1e-4 and 1 in the last."""
    network = ActorCritic((4,), 2, width=16, depth=2)
    for cell, gain in ((network.actor, 1e-4), (network.critic, 1.0)):
        first, second, last = (p.asnumpy() for p in cell.trainable_params() if p.ndim == 2)
        np.testing.assert_allclose(first.T @ first, 2 * np.eye(4), atol=1e-5)
        np.testing.assert_allclose(second @ second.T, 2 * np.eye(16), atol=1e-5)
        np.testing.assert_allclose(last @ last.T, gain * np.eye(len(last)), atol=gain * 1e-4)
