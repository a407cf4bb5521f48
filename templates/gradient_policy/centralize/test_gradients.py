"""Gradient centralization against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from dense import dense
from given import apply, draw, given
from mindspore import nn, ops
from weights import Weights

from package import gradients
from package.engine.accumulate import accumulate


def policy(network):
    """Make the policy over given gradients, for the weights of a cell."""
    return gradients.centralize(given, network, network.trainable_params())


def test_each_row_loses_its_mean(run):
    """Oracle: by hand. The rows of the (2, 3) matrix have the means 2 and -1; the bias stays."""
    arrays = [np.float32([[1, 2, 3], [-1, 1, -3]]), np.float32([1, 2])]
    weight, bias = apply(run(policy(nn.Dense(3, 2))), arrays)
    np.testing.assert_allclose(weight, [[-1, 0, 1], [0, 2, -2]], atol=1e-6)
    np.testing.assert_array_equal(bias, [1, 2])


def test_a_convolution_has_a_unit_for_each_output(run):
    """Oracle: NumPy's mean over all axes but the first, (out, in, height, width)."""
    (before,) = draw(shapes=[(4, 3, 2, 2)])
    (after,) = apply(run(policy(nn.Conv2d(3, 4, 2))), [before])
    np.testing.assert_allclose(after, before - before.mean((1, 2, 3), keepdims=True), atol=1e-6)


def test_a_transposed_convolution_has_its_outputs_on_the_second_axis(run):
    """Oracle: NumPy's mean over all axes but the second, (in, out, height, width)."""
    (before,) = draw(shapes=[(4, 3, 2, 2)])
    (after,) = apply(run(policy(nn.Conv2dTranspose(4, 3, 2))), [before])
    np.testing.assert_allclose(after, before - before.mean((0, 2, 3), keepdims=True), atol=1e-6)


def test_a_table_has_a_unit_for_each_row(run):
    """Oracle: by hand. The means of the rows are 2 and 5."""
    (grad,) = apply(run(policy(Weights([[0, 0], [0, 0]]))), [np.float32([[1, 3], [5, 5]])])
    np.testing.assert_allclose(grad, [[-1, 1], [0, 0]], atol=1e-6)


@pytest.mark.parametrize(
    "network",
    [
        nn.Dense(1, 3, has_bias=False),
        nn.Conv2d(1, 3, 1),
        nn.Conv2dTranspose(1, 3, 1),
        nn.LayerNorm((3,)),
        Weights([[1, 2, 3]]),
        Weights([1, 2, 3], 4),
    ],
    ids=["dense", "convolution", "transposed", "norm", "row", "vector"],
)
def test_what_has_no_units_of_several_weights_is_left_alone(network):
    """Oracle: the gradients that went in: less their mean, weights alone would freeze."""
    arrays = draw(shapes=[weight.shape for weight in network.trainable_params()])
    for before, after in zip(arrays, apply(policy(network), arrays)):
        np.testing.assert_array_equal(before, after)


def test_a_line_is_learnt():
    """Oracle: by hand. Half the squared error of w x + b to 2 x + 3 has its minimum at 2 and 3."""
    network = nn.Dense(1, 1)
    x = ms.Tensor([[-1.0], [1.0]])

    def forward_fn(x):
        y = network(x)
        return ops.mean(ops.square(y - 2 * x - 3)) / 2, y

    weights = network.trainable_params()
    grad_fn = ms.value_and_grad(forward_fn, None, weights, has_aux=True)
    grad_fn = gradients.centralize(grad_fn, network, weights)
    for _ in range(40):
        for w, g in zip(weights, grad_fn(x)[1]):
            ops.assign(w, w - 0.5 * g)
    np.testing.assert_allclose([w.asnumpy().item() for w in weights], [2, 3], rtol=1e-5)


def test_a_nan_stays_in_its_row(run):
    """Oracle: by hand. The other row is (1, 3) less its mean."""
    grads = apply(run(policy(Weights(np.zeros((2, 2))))), [np.float32([[np.nan, 1], [1, 3]])])
    np.testing.assert_allclose(grads[0][1], [-1, 1], atol=1e-6)


def test_loss_and_aux_pass_through(run):
    """Oracle: the loss 7 and the aux (1, 2) that the inner function returns."""
    grad_fn = run(policy(Weights(*draw())))
    (loss, aux), _ = grad_fn(*[ms.Tensor(x) for x in draw()])
    assert loss.asnumpy() == 7
    np.testing.assert_array_equal(aux.asnumpy(), [1, 2])


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    centralized = policy(Weights(*draw()))
    for eager, compiled in zip(apply(centralized, draw(3)), apply(ms.jit(centralized), draw(3))):
        np.testing.assert_array_equal(eager, compiled)


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, network, batch = dense()
    parameters = network.trainable_params()
    micro = gradients.centralize(accumulate(grad_fn, 4), network, parameters)
    whole = gradients.centralize(grad_fn, network, parameters)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-7)
