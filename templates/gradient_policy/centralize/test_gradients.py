"""Gradient centralization against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops

from package import gradients
from package.engine.accumulate import accumulate

SHAPES = [(4, 3), (4,), (2, 3, 2, 2), ()]


@pytest.fixture(params=["eager", "jit"])
def run(request):
    """Leave a function eager, or compile it."""
    return ms.jit if request.param == "jit" else lambda function: function


def dense():
    """Make a Dense layer's ``grad_fn`` under the mean squared error, its parameters and a batch."""
    rng = np.random.default_rng(0)
    weight, bias, data, label = (
        ms.Tensor(rng.standard_normal(shape), ms.float32) for shape in [(2, 3), 2, (8, 3), (8, 2)]
    )
    network = nn.Dense(3, 2, weight, bias)

    def forward_fn(data, label):
        logits = network(data)
        return ops.mean(ops.square(logits - label)), logits

    parameters = network.trainable_params()
    return ms.value_and_grad(forward_fn, None, parameters, has_aux=True), parameters, (data, label)


def given(*grads):
    """Be a ``grad_fn`` whose gradients are its batch, whose loss is 7 and whose aux is (1, 2)."""
    return (ms.Tensor(7.0), ms.Tensor([1.0, 2.0])), grads


def draw(scale=1.0, seed=0):
    """Draw an array of each shape."""
    rng = np.random.default_rng(seed)
    return [np.asarray(scale * rng.standard_normal(shape), np.float32) for shape in SHAPES]


def apply(grad_fn, arrays):
    """Return the gradients of ``grad_fn`` as arrays."""
    return [grad.asnumpy() for grad in grad_fn(*[ms.Tensor(x) for x in arrays])[1]]


def test_each_row_loses_its_mean(run):
    """Oracle: by hand. The rows of the (2, 3) matrix have the means 2 and -1."""
    arrays = [np.float32([[1, 2, 3], [-1, 1, -3]])]
    (grad,) = apply(run(gradients.centralize(given)), arrays)
    np.testing.assert_allclose(grad, [[-1, 0, 1], [0, 2, -2]], atol=1e-6)


def test_every_shape():
    """Oracle: NumPy. The mean goes over all axes but the first; vectors and scalars stay."""
    arrays = draw(2)
    for before, after in zip(arrays, apply(gradients.centralize(given), arrays)):
        if before.ndim > 1:
            rows = before.reshape(len(before), -1)
            before = (rows - rows.mean(1, keepdims=True)).reshape(before.shape)
        np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)


def test_a_nan_stays_in_its_row(run):
    """Oracle: by hand. The other row is (1, 3) less its mean."""
    (grad,) = apply(run(gradients.centralize(given)), [np.float32([[np.nan, 1], [1, 3]])])
    np.testing.assert_allclose(grad[1], [-1, 1], atol=1e-6)


def test_loss_and_aux_pass_through(run):
    """Oracle: the loss 7 and the aux (1, 2) that the inner function returns."""
    grad_fn = run(gradients.centralize(given))
    (loss, aux), _ = grad_fn(*[ms.Tensor(x) for x in draw()])
    assert loss.asnumpy() == 7
    np.testing.assert_array_equal(aux.asnumpy(), [1, 2])


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    policy = gradients.centralize(given)
    for eager, compiled in zip(apply(policy, draw(3)), apply(ms.jit(policy), draw(3))):
        np.testing.assert_array_equal(eager, compiled)


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, _, batch = dense()
    micro = gradients.centralize(accumulate(grad_fn, 4))
    whole = gradients.centralize(grad_fn)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-7)
