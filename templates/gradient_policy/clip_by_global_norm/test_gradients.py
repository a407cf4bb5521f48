"""Clipping by the global norm against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from dense import dense
from given import apply, draw, given
from mindspore import ops

from package import gradients
from package.engine.accumulate import accumulate


def test_all_tensors_have_one_norm(run):
    """Oracle: by hand. The norm of 3, 4, 0 and 12 is 13, the bound is 1."""
    arrays = [np.float32([3, 4]), np.float32([0, 12])]
    a, b = apply(run(gradients.clip_by_global_norm(given, 1.0)), arrays)
    np.testing.assert_allclose(a, [3 / 13, 4 / 13], rtol=1e-6)
    np.testing.assert_allclose(b, [0, 12 / 13], rtol=1e-6)


def test_a_large_tensor():
    """Oracle: by hand. Five million ones have the norm sqrt(5e6), to rounding."""
    ones = np.ones((5000, 1000), np.float32)
    (clipped,) = apply(gradients.clip_by_global_norm(given, 1.0), [ones])
    np.testing.assert_allclose(clipped, 5e6**-0.5, rtol=1e-6)


@pytest.mark.parametrize("bound", [1e-6, 0.5, 20.0])
def test_every_shape(bound):
    """Oracle: the formula in float64."""
    arrays = draw(2)
    norm = np.sqrt(sum((x.astype(np.float64) ** 2).sum() for x in arrays))
    clipped = apply(gradients.clip_by_global_norm(given, bound), arrays)
    for before, after in zip(arrays, clipped):
        np.testing.assert_allclose(after, before * min(bound / norm, 1), rtol=1e-5)


def test_an_infinite_norm_stops_the_finite_entries(run):
    """Oracle: by hand. 1e30² is beyond float32, and an entry of the bound's size becomes 0."""
    arrays = [np.float32([1e30, 1]), np.float32([1])]
    for grad in apply(run(gradients.clip_by_global_norm(given, 1.0)), arrays):
        np.testing.assert_array_equal(grad, np.zeros_like(grad))


def test_a_gradient_within_the_bound_is_left_as_it_is(run):
    """Oracle: the gradients that went in, bit for bit; (3, 4) has the norm 5, the bound itself."""
    arrays = [np.float32([3, 4]), np.zeros((2, 3), np.float32)]
    for before, after in zip(arrays, apply(run(gradients.clip_by_global_norm(given, 5.0)), arrays)):
        np.testing.assert_array_equal(before, after)


def test_a_nan_stays_in_its_tensor(run):
    """Oracle: by hand. (3, 4) is shortened to the bound 1 as if the other tensor were not there."""
    arrays = [np.float32([3, 4]), np.float32([np.nan, 1])]
    a, b = apply(run(gradients.clip_by_global_norm(given, 1.0)), arrays)
    np.testing.assert_allclose(a, [0.6, 0.8], rtol=1e-6)
    assert np.isnan(b).any()


def test_a_float16_gradient_is_measured_in_float32():
    """Oracle: by hand. 300² + 400² is beyond float16, the bound 5 gives (3, 4) in float16."""
    (grad,) = apply(gradients.clip_by_global_norm(given, 5.0), [np.float16([300, 400])])
    assert grad.dtype == np.float16
    np.testing.assert_allclose(grad, [3, 4], rtol=1e-3)


def test_the_mean_of_the_micro_batches_is_clipped_once(run):
    """Oracle: by hand. (2, 0) and (0, 2) have the mean (1, 1), which the bound 1 shortens."""

    def rows(data):
        return (ops.sum(data), data), (data[0],)

    grad_fn = gradients.clip_by_global_norm(accumulate(rows, 2), 1.0)
    _, (grad,) = run(grad_fn)(ms.Tensor([[2.0, 0.0], [0.0, 2.0]]))
    np.testing.assert_allclose(grad.asnumpy(), [0.5**0.5, 0.5**0.5], rtol=1e-6)


def test_loss_and_aux_pass_through(run):
    """Oracle: the loss 7 and the aux (1, 2) that the inner function returns."""
    grad_fn = run(gradients.clip_by_global_norm(given, 1.0))
    (loss, aux), _ = grad_fn(*[ms.Tensor(x) for x in draw()])
    assert loss.asnumpy() == 7
    np.testing.assert_array_equal(aux.asnumpy(), [1, 2])


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    policy = gradients.clip_by_global_norm(given, 1.0)
    for eager, compiled in zip(apply(policy, draw(3)), apply(ms.jit(policy), draw(3))):
        np.testing.assert_array_equal(eager, compiled)


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, _, batch = dense()
    micro = gradients.clip_by_global_norm(accumulate(grad_fn, 4), 0.3)
    whole = gradients.clip_by_global_norm(grad_fn, 0.3)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("bound", [0.0, -1.0, float("nan")])
def test_a_bound_that_is_not_positive_is_refused(bound):
    """Oracle: the contract, with the value in the message."""
    with pytest.raises(ValueError, match=str(bound)):
        gradients.clip_by_global_norm(given, bound)
