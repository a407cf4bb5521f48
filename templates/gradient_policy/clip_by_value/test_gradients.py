"""Clipping by value against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from dense import dense
from given import apply, draw, given
from mindspore import ops

from package import gradients
from package.engine.accumulate import accumulate


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
