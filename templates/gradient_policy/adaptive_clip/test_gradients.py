"""Adaptive gradient clipping against plain NumPy."""

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


def weights(arrays):
    """Make a parameter of each array, with the names w0, w1, ..."""
    return [ms.Parameter(ms.Tensor(x), name=f"w{i}") for i, x in enumerate(arrays)]


def unit_norm(x):
    """Norm of each unit in float64: a row, or the whole of a vector."""
    square = x.astype(np.float64) ** 2
    axes = tuple(range(1, x.ndim)) if x.ndim > 1 else None
    return np.sqrt(square.sum(axes, keepdims=True))


def test_each_row_is_bounded_by_its_weights(run):
    """Oracle: by hand. Weight rows of norm 10 and 20, ratio 0.1: gradient norms of at most 1, 2."""
    w = weights([np.float32([[6, 8], [0, 20]])])
    arrays = [np.float32([[3, 4], [1, 0]])]
    (grad,) = apply(run(gradients.adaptive_clip(given, w, 0.1)), arrays)
    np.testing.assert_allclose(grad, [[0.6, 0.8], [1, 0]], rtol=1e-6)


def test_every_shape():
    """Oracle: the paper's formula in float64."""
    arrays, values = draw(1), draw(5, seed=1)
    policy = gradients.adaptive_clip(given, weights(values), 0.1)
    for g, w, after in zip(arrays, values, apply(policy, arrays)):
        bound = 0.1 * np.maximum(unit_norm(w), 1e-3)
        expected = np.where(unit_norm(g) > bound, g * bound / unit_norm(g), g)
        np.testing.assert_allclose(after, expected, rtol=1e-5)


def test_weights_of_zero_can_move(run):
    """Oracle: by hand. Their norm counts as eps, so the bound is 0.1 x 0.5."""
    policy = gradients.adaptive_clip(given, weights([np.zeros((2, 2), np.float32)]), 0.1, 0.5)
    (grad,) = apply(run(policy), [np.float32([[3, 4], [0, 0]])])
    np.testing.assert_allclose(grad, [[0.03, 0.04], [0, 0]], rtol=1e-6)


def test_the_skipped_layer_is_left_alone(run):
    """Oracle: by hand. (3, 4) at a weight of norm 5 and ratio 0.1 becomes (0.3, 0.4)."""
    body, head = weights([np.float32([3, 4]), np.float32([3, 4])])
    body.name, head.name = "body.weight", "head.weight"
    policy = gradients.adaptive_clip(given, [body, head], 0.1, skip="head")
    a, b = apply(run(policy), [np.float32([3, 4]), np.float32([3, 4])])
    np.testing.assert_allclose(a, [0.3, 0.4], rtol=1e-6)
    np.testing.assert_array_equal(b, [3, 4])


def test_a_name_that_no_parameter_has_is_refused():
    """Oracle: the contract, with the names there are in the message."""
    with pytest.raises(ValueError, match="w0"):
        gradients.adaptive_clip(given, weights(draw()), skip="head")


def test_a_nan_stays_in_its_row(run):
    """Oracle: by hand. The other row, at weights of norm 5 and ratio 0.1, becomes (0.3, 0.4)."""
    policy = gradients.adaptive_clip(given, weights([np.float32([[3, 4], [3, 4]])]), 0.1)
    (grad,) = apply(run(policy), [np.float32([[np.nan, 1], [3, 4]])])
    np.testing.assert_allclose(grad[1], [0.3, 0.4], rtol=1e-6)


def test_the_bound_follows_the_weights_in_a_compiled_loop():
    """Oracle: by hand. w = 10, a large gradient, ratio 0.1, rate 1: each step takes a tenth off."""
    (w,) = weights([np.float32([10])])
    policy = gradients.adaptive_clip(given, [w], 0.1)

    @ms.jit
    def descend(steps, grad):
        while steps > 0:
            ops.assign(w, w - policy(grad)[1][0])
            steps = steps - 1
        return steps

    descend(ms.Tensor(3), ms.Tensor([100.0]))
    np.testing.assert_allclose(w.asnumpy(), [7.29], rtol=1e-6)


def test_loss_and_aux_pass_through(run):
    """Oracle: the loss 7 and the aux (1, 2) that the inner function returns."""
    grad_fn = run(gradients.adaptive_clip(given, weights(draw())))
    (loss, aux), _ = grad_fn(*[ms.Tensor(x) for x in draw()])
    assert loss.asnumpy() == 7
    np.testing.assert_array_equal(aux.asnumpy(), [1, 2])


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    policy = gradients.adaptive_clip(given, weights(draw()))
    for eager, compiled in zip(apply(policy, draw(3)), apply(ms.jit(policy), draw(3))):
        np.testing.assert_array_equal(eager, compiled)


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, parameters, batch = dense()
    micro = gradients.adaptive_clip(accumulate(grad_fn, 4), parameters)
    whole = gradients.adaptive_clip(grad_fn, parameters)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("clipping, eps", [(0.0, 1e-3), (-1.0, 1e-3), (0.01, 0.0), (0.01, -1.0)])
def test_a_setting_that_is_not_positive_is_refused(clipping, eps):
    """Oracle: the contract, with the values in the message."""
    with pytest.raises(ValueError, match=f"{clipping} and {eps}"):
        gradients.adaptive_clip(given, weights(draw()), clipping, eps)
