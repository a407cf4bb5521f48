"""Clipping by value against plain NumPy."""

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


@pytest.mark.parametrize("bound", [0.1, 1.0, 50.0])
def test_every_entry_is_bounded(bound):
    """Oracle: ``np.clip``; the entries within the bound stay to the bit."""
    arrays = draw(3)
    for before, after in zip(arrays, apply(gradients.clip_by_value(given, bound), arrays)):
        np.testing.assert_array_equal(after, np.clip(before, np.float32(-bound), np.float32(bound)))


def test_a_nan_stays_where_it_is(run):
    """Oracle: by hand."""
    arrays = [np.float32([3, 0.5]), np.float32([np.nan, -4])]
    a, b = apply(run(gradients.clip_by_value(given, 1.0)), arrays)
    np.testing.assert_array_equal(a, [1, 0.5])
    np.testing.assert_array_equal(b, [np.nan, -1])


def test_the_mean_of_the_micro_batches_is_clipped_once(run):
    """Oracle: by hand. (2, 0) and (0, 2) have the mean (1, 1), the bound is 0.5."""

    def rows(data):
        return (ops.sum(data), data), (data[0],)

    grad_fn = gradients.clip_by_value(accumulate(rows, 2), 0.5)
    _, (grad,) = run(grad_fn)(ms.Tensor([[2.0, 0.0], [0.0, 2.0]]))
    np.testing.assert_allclose(grad.asnumpy(), [0.5, 0.5], rtol=1e-6)


def test_loss_and_aux_pass_through(run):
    """Oracle: the loss 7 and the aux (1, 2) that the inner function returns."""
    grad_fn = run(gradients.clip_by_value(given, 1.0))
    (loss, aux), _ = grad_fn(*[ms.Tensor(x) for x in draw()])
    assert loss.asnumpy() == 7
    np.testing.assert_array_equal(aux.asnumpy(), [1, 2])


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    policy = gradients.clip_by_value(given, 1.0)
    for eager, compiled in zip(apply(policy, draw(3)), apply(ms.jit(policy), draw(3))):
        np.testing.assert_array_equal(eager, compiled)


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, _, batch = dense()
    micro = gradients.clip_by_value(accumulate(grad_fn, 4), 0.3)
    whole = gradients.clip_by_value(grad_fn, 0.3)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("bound", [0.0, -1.0, float("nan")])
def test_a_bound_that_is_not_positive_is_refused(bound):
    """Oracle: the contract, with the value in the message."""
    with pytest.raises(ValueError, match=str(bound)):
        gradients.clip_by_value(given, bound)
