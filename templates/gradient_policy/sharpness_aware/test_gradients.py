"""Sharpness-aware minimization against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from dense import dense
from mindspore import ops

from package import gradients
from package.engine.accumulate import accumulate


class Curved:
    """The loss ``sum(a w^4) / 4 + sum(b v^2) / 2`` of w (3,) and v (2,), at a batch of a and b."""

    def __init__(self, w=(-0.0, 1.5, -0.7), v=(0.3, 2.0)):
        self.w = ms.Parameter(ms.Tensor(w, ms.float32), name="w")
        self.v = ms.Parameter(ms.Tensor(v, ms.float32), name="v")
        self.parameters = [self.w, self.v]
        self.grad_fn = ms.value_and_grad(self.forward_fn, None, self.parameters, has_aux=True)

    def forward_fn(self, a, b):
        loss = ops.sum(a * self.w**4) / 4 + ops.sum(b * self.v**2) / 2
        return loss, ops.stack([ops.sum(self.w), ops.sum(self.v)])

    def bits(self):
        return [p.asnumpy().tobytes() for p in self.parameters]


BATCH = ([1.0, 2.0, 3.0], [2.0, 0.5])


def tensors():
    """Return the batch."""
    return [ms.Tensor(x, ms.float32) for x in BATCH]


def gradient_nearby(w, v, rho):
    """Differentiate the loss by hand in float64, and again ``rho`` further along the gradient."""
    a, b = np.array(BATCH[0]), np.array(BATCH[1])
    dw, dv = a * w**3, b * v
    norm = np.sqrt((dw**2).sum() + (dv**2).sum())
    return a * (w + rho * dw / norm) ** 3, b * (v + rho * dv / norm)


@pytest.mark.parametrize("rho", [0.05, 0.5])
def test_the_gradient_is_that_of_the_climbed_point(run, rho):
    """Oracle: both gradients by hand in NumPy."""
    curved = Curved()
    expected = gradient_nearby(*[p.asnumpy().astype(float) for p in curved.parameters], rho)
    grad_fn = run(gradients.sharpness_aware(curved.grad_fn, curved.parameters, rho))
    for grad, right in zip(grad_fn(*tensors())[1], expected):
        np.testing.assert_allclose(grad.asnumpy(), right, rtol=1e-5, atol=1e-7)


def test_the_weights_come_back_to_the_bit(run):
    """Oracle: the bits before, of -0, of a subnormal number, and of one that a step back misses."""
    curved = Curved(w=(-0.0, 1e-40, 0.1), v=(1e8, 1 / 3))
    before = curved.bits()
    run(gradients.sharpness_aware(curved.grad_fn, curved.parameters, 0.3))(*tensors())
    assert curved.bits() == before


def test_loss_and_aux_are_those_of_the_weights(run):
    """Oracle: the loss and the sums by hand in NumPy at the point itself."""
    curved = Curved()
    w, v = (p.asnumpy().astype(float) for p in curved.parameters)
    grad_fn = run(gradients.sharpness_aware(curved.grad_fn, curved.parameters, 0.5))
    (loss, aux), _ = grad_fn(*tensors())
    right = (np.array(BATCH[0]) * w**4).sum() / 4 + (np.array(BATCH[1]) * v**2).sum() / 2
    np.testing.assert_allclose(loss.asnumpy(), right, rtol=1e-6)
    np.testing.assert_allclose(aux.asnumpy(), [w.sum(), v.sum()], rtol=1e-6)


def test_a_zero_gradient_stays_zero(run):
    """Oracle: by hand. At a minimum there is no direction to climb, and nothing moves."""
    curved = Curved(w=(0, 0, 0), v=(0, 0))
    before = curved.bits()
    grad_fn = run(gradients.sharpness_aware(curved.grad_fn, curved.parameters, 0.5))
    for grad in grad_fn(*tensors())[1]:
        np.testing.assert_array_equal(grad.asnumpy(), np.zeros_like(grad.asnumpy()))
    assert curved.bits() == before


def test_a_nan_stays_in_its_tensor(run):
    """Oracle: NumPy. With the gradient of w NaN, v climbs alone."""
    curved = Curved(v=(0.3, 2.0))
    before = curved.bits()

    def broken(a, b):
        value, grads = curved.grad_fn(a, b)
        return value, (grads[0] * float("nan"), grads[1])

    grad_fn = run(gradients.sharpness_aware(broken, curved.parameters, 0.5))
    _, (dw, dv) = grad_fn(*tensors())
    v, b = np.array([0.3, 2.0]), np.array(BATCH[1])
    assert np.isnan(dw.asnumpy()).all()
    np.testing.assert_allclose(
        dv.asnumpy(), b * (v + 0.5 * b * v / np.linalg.norm(b * v)), rtol=1e-5
    )
    assert curved.bits() == before


def test_descent_in_a_compiled_loop():
    """Oracle: five steps of gradient descent by hand in NumPy."""
    curved = Curved()
    grad_fn = gradients.sharpness_aware(curved.grad_fn, curved.parameters, 0.1)
    w, v = (p.asnumpy().astype(float) for p in curved.parameters)

    @ms.jit
    def descend(steps, a, b):
        while steps > 0:
            dw, dv = grad_fn(a, b)[1]
            ops.assign(curved.w, curved.w - 0.05 * dw)
            ops.assign(curved.v, curved.v - 0.05 * dv)
            steps = steps - 1
        return steps

    descend(ms.Tensor(5), *tensors())
    for _ in range(5):
        dw, dv = gradient_nearby(w, v, 0.1)
        w, v = w - 0.05 * dw, v - 0.05 * dv
    np.testing.assert_allclose(curved.w.asnumpy(), w, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(curved.v.asnumpy(), v, rtol=1e-5)


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    grad_fn, network, batch = dense()
    parameters = network.trainable_params()
    policy = gradients.sharpness_aware(grad_fn, parameters)
    for eager, compiled in zip(policy(*batch)[1], ms.jit(policy)(*batch)[1]):
        np.testing.assert_array_equal(eager.asnumpy(), compiled.asnumpy())


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, network, batch = dense()
    parameters = network.trainable_params()
    micro = gradients.sharpness_aware(accumulate(grad_fn, 4), parameters, 0.5)
    whole = gradients.sharpness_aware(grad_fn, parameters, 0.5)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("rho", [0.0, -1.0, float("nan")])
def test_a_distance_that_is_not_positive_is_refused(rho):
    """Oracle: the contract, with the value in the message."""
    with pytest.raises(ValueError, match=str(rho)):
        gradients.sharpness_aware(lambda: None, [], rho)
