"""Adaptive gradient clipping against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from dense import dense
from given import apply, draw, given
from mindspore import nn, ops
from weights import Weights

from package import gradients
from package.engine.accumulate import accumulate
from package.engine.errors import InputError


def policy(values, *settings, **more):
    """Make the policy over given gradients, for a table or a vector of each value."""
    network = Weights(*values)
    parameters = network.trainable_params()
    return gradients.adaptive_clip(given, network, parameters, *settings, **more)


def unit_norm(x):
    """Norm of each unit in float64: a row, or the whole of a vector."""
    square = x.astype(np.float64) ** 2
    axes = tuple(range(1, x.ndim)) if x.ndim > 1 else None
    return np.sqrt(square.sum(axes, keepdims=True))


def test_each_row_is_bounded_by_its_weights(run):
    """Oracle: by hand. Weight rows of norm 10 and 20, ratio 0.1: gradient norms of at most 1, 2."""
    weights, arrays = [[[6, 8], [0, 20]]], [np.float32([[3, 4], [1, 0]])]
    (grad,) = apply(run(policy(weights, 0.1)), arrays)
    np.testing.assert_allclose(grad, [[0.6, 0.8], [1, 0]], rtol=1e-6)


def test_every_shape():
    """Oracle: the paper's formula in float64."""
    arrays, values = draw(1), draw(5, seed=1)
    for g, w, after in zip(arrays, values, apply(policy(values, 0.1), arrays)):
        bound = 0.1 * np.maximum(unit_norm(w), 1e-3)
        expected = np.where(unit_norm(g) > bound, g * bound / unit_norm(g), g)
        np.testing.assert_allclose(after, expected, rtol=1e-5)


def test_a_transposed_convolution_has_its_units_in_columns(run):
    """Oracle: by hand. The columns of (in, out) have weights of norm 5 and 2, gradients of 5."""
    network = nn.Conv2dTranspose(2, 2, 1, weight_init="zeros", has_bias=False)
    network.weight.set_data(ms.Tensor([[3, 0], [4, 2]], ms.float32).reshape((2, 2, 1, 1)))
    clipped = gradients.adaptive_clip(given, network, network.trainable_params(), 0.1)
    (grad,) = apply(run(clipped), [np.float32([[3, 3], [4, 4]]).reshape((2, 2, 1, 1))])
    expected = [[0.3, 0.12], [0.4, 0.16]]  # of norm 0.1 x 5 and 0.1 x 2
    np.testing.assert_allclose(grad.reshape(2, 2), expected, rtol=1e-6)


def test_weights_of_zero_can_move(run):
    """Oracle: by hand. Their norm counts as eps, so the bound is 0.1 x 0.5."""
    clipped = policy([np.zeros((2, 2))], 0.1, 0.5)
    (grad,) = apply(run(clipped), [np.float32([[3, 4], [0, 0]])])
    np.testing.assert_allclose(grad, [[0.03, 0.04], [0, 0]], rtol=1e-6)


def test_the_skipped_layer_is_left_alone(run):
    """Oracle: by hand. (3, 4) at a weight of norm 5 and ratio 0.1 becomes (0.3, 0.4)."""
    network = Weights([3, 4], [3, 4])
    body, head = network.trainable_params()
    body.name, head.name = "body.weight", "head.weight"
    clipped = gradients.adaptive_clip(given, network, [body, head], 0.1, skip="head")
    a, b = apply(run(clipped), [np.float32([3, 4]), np.float32([3, 4])])
    np.testing.assert_allclose(a, [0.3, 0.4], rtol=1e-6)
    np.testing.assert_array_equal(b, [3, 4])


def test_a_name_that_no_parameter_has_is_refused():
    """Oracle: the contract, with the names there are in the message."""
    with pytest.raises(InputError, match="w0"):
        policy([[1]], skip="head")


def test_a_nan_stays_in_its_row(run):
    """Oracle: by hand. The other row, at weights of norm 5 and ratio 0.1, becomes (0.3, 0.4)."""
    clipped = policy([[[3, 4], [3, 4]]], 0.1)
    (grad,) = apply(run(clipped), [np.float32([[np.nan, 1], [3, 4]])])
    np.testing.assert_allclose(grad[1], [0.3, 0.4], rtol=1e-6)


def test_the_bound_follows_the_weights_in_a_compiled_loop():
    """Oracle: by hand. w = 10, a large gradient, ratio 0.1, rate 1: each step takes a tenth off."""
    network = Weights([10])
    (w,) = network.trainable_params()
    clipped = gradients.adaptive_clip(given, network, [w], 0.1)

    @ms.jit
    def descend(steps, grad):
        while steps > 0:
            ops.assign(w, w - clipped(grad)[1][0])
            steps = steps - 1
        return steps

    descend(ms.Tensor(3), ms.Tensor([100.0]))
    np.testing.assert_allclose(w.asnumpy(), [7.29], rtol=1e-6)


def test_loss_and_aux_pass_through(run):
    """Oracle: the loss 7 and the aux (1, 2) that the inner function returns."""
    grad_fn = run(policy(draw()))
    (loss, aux), _ = grad_fn(*[ms.Tensor(x) for x in draw()])
    assert loss.asnumpy() == 7
    np.testing.assert_array_equal(aux.asnumpy(), [1, 2])


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    clipped = policy(draw())
    for eager, compiled in zip(apply(clipped, draw(3)), apply(ms.jit(clipped), draw(3))):
        np.testing.assert_array_equal(eager, compiled)


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, network, batch = dense()
    parameters = network.trainable_params()
    micro = gradients.adaptive_clip(accumulate(grad_fn, 4), network, parameters)
    whole = gradients.adaptive_clip(grad_fn, network, parameters)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("clipping, eps", [(0.0, 1e-3), (-1.0, 1e-3), (0.01, 0.0), (0.01, -1.0)])
def test_a_setting_that_is_not_positive_is_refused(clipping, eps):
    """Oracle: the contract, with the values in the message."""
    with pytest.raises(ValueError, match=f"{clipping} and {eps}"):
        policy(draw(), clipping, eps)
