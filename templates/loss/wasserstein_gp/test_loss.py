"""The Wasserstein loss and its gradient penalty against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from logits import logits
from mindspore import Parameter, Tensor, nn, ops

from package.loss import WassersteinGP

pytestmark = pytest.mark.usefixtures("eager")

LOSS = WassersteinGP


def discriminator(r: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The formula of the discriminator's loss."""
    return f - r


def generator(f: np.ndarray) -> np.ndarray:
    """The formula of the generator's loss."""
    return -f


def test_by_hand() -> None:
    """By hand: D(real) = 3 and D(fake) = -1 give -4, and 1 for the generator."""
    loss_fn = WassersteinGP()
    assert float(loss_fn(logits(3), logits(-1))) == -4
    assert float(loss_fn.generator(logits(-1))) == 1


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


class Critic(nn.Cell):
    """D(x) = v . tanh(W x), whose slope NumPy knows: W^T (v (1 - tanh^2(W x)))."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(rows(5, 3)), name="w")
        self.v = Parameter(Tensor(rows(1, 5)), name="v")

    def construct(self, x: Tensor) -> Tensor:
        return ops.matmul(ops.tanh(ops.matmul(x, self.w.T)), self.v.T)


def penalty(w: np.ndarray, v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Ten times the squared distance of the norm of Critic's slope from 1, (rows, 1)."""
    slope = (v * (1 - np.tanh(x @ w.T) ** 2)) @ w
    return 10 * (np.linalg.norm(slope, axis=1, keepdims=True) - 1) ** 2


@pytest.mark.parametrize("compiled", [False, True])
def test_penalty_and_its_gradient(compiled: bool) -> None:
    """NumPy's slope by hand; its derivative by the weights, by central differences in float64."""
    critic, points = Critic(), rows(6, 3) / 2
    loss_fn, slope_fn = WassersteinGP(), ms.grad(critic)
    if not compiled:  # MindSpore 2.10 loses terms of an eager second derivative
        slope_fn = ms.jit(slope_fn)

    def forward_fn(points):
        return loss_fn.penalty(slope_fn(points))

    grad_fn = ms.value_and_grad(forward_fn, None, critic.trainable_params())
    grad_fn = ms.jit(grad_fn) if compiled else grad_fn
    value, grads = grad_fn(Tensor(points))

    arrays = (critic.w.asnumpy(), critic.v.asnumpy(), points)
    w, v, x = (array.astype(np.float64) for array in arrays)
    assert float(value) == pytest.approx(penalty(w, v, x).mean(), rel=1e-4)
    for place, grad in enumerate(grads):
        for index in np.ndindex(grad.shape):
            shifted = []
            for step in (1e-5, -1e-5):
                weights = [w.copy(), v.copy()]
                weights[place][index] += step
                shifted.append(penalty(weights[0], weights[1], x).mean())
            slope = (shifted[0] - shifted[1]) / 2e-5
            assert grad.asnumpy()[index] == pytest.approx(slope, rel=2e-3, abs=1e-3)


def test_penalty_by_hand() -> None:
    """By hand: the slope (3, 4) has the norm 5, so 2 (5 - 1)^2 a row, for images as for vectors."""
    slope = Tensor(np.tile(np.array([3, 4], np.float32).reshape(1, 1, 2, 1), (7, 1, 1, 1)))
    for reduction, expected in (("none", [[32.0]] * 7), ("mean", 32.0), ("sum", 224.0)):
        found = WassersteinGP(2.0, reduction).penalty(slope)
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)


def test_no_slope_has_a_finite_gradient() -> None:
    """By hand: without any slope the penalty is its weight, and its gradient 0 and not NaN."""
    value, grad = ms.value_and_grad(WassersteinGP().penalty)(Tensor(np.zeros((6, 3), np.float32)))
    assert float(value) == pytest.approx(10, rel=1e-4)
    assert (grad.asnumpy() == 0).all()
