"""Accumulation over micro-batches, against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from dense import dense
from mindspore import ops
from mindspore.graph.api import ms_compile_cache

from {{ cookiecutter.package_name }}.engine.accumulate import accumulate


@pytest.mark.parametrize("steps", [3, 6])
def test_accumulate_averages_over_the_micro_batches(run, steps):
    """Oracle: NumPy, of gradients and a loss that are not linear in the rows."""

    def extremes(x, y):
        return (ops.max(y)[0], x), (ops.max(x[:, 0])[0], ops.amin(x, 0))

    rng = np.random.default_rng(0)
    x, y = (np.float32(rng.standard_normal(shape)) for shape in [(12, 2), (12,)])
    micro, micro_y = x.reshape(steps, -1, 2), y.reshape(steps, -1)
    (loss, _), (a, b) = run(accumulate(extremes, steps))(ms.Tensor(x), ms.Tensor(y))
    np.testing.assert_allclose(loss.asnumpy(), micro_y.max(1).mean(), rtol=1e-6)
    np.testing.assert_allclose(a.asnumpy(), micro[:, :, 0].max(1).mean(), rtol=1e-6)
    np.testing.assert_allclose(b.asnumpy(), micro.min(1).mean(0), rtol=1e-6)


def test_accumulate_adds_tensors_of_one_shape(run):
    """Oracle: by hand. The mean of (2, 0) and (0, 4), in each of two gradients of one shape."""

    def rows(data):
        return (ops.sum(data), data), (data[0], 3 * data[0])

    _, (a, b) = run(accumulate(rows, 2))(ms.Tensor([[2.0, 0.0], [0.0, 4.0]]))
    np.testing.assert_allclose(a.asnumpy(), [1, 2], rtol=1e-6)
    np.testing.assert_allclose(b.asnumpy(), [3, 6], rtol=1e-6)


def test_accumulate_keeps_the_rows_of_aux_in_order(run):
    """Oracle: NumPy, the rows of the whole batch."""
    grad_fn, network, (data, label) = dense()
    (_, logits), _ = run(accumulate(grad_fn, 4))(data, label)
    weight, bias = (p.asnumpy() for p in network.trainable_params())
    np.testing.assert_allclose(logits.asnumpy(), data.asnumpy() @ weight.T + bias, rtol=1e-5)


def test_accumulate_is_the_whole_batch_for_a_mean_loss(run):
    """Oracle: the gradient of the mean squared error over all rows, by hand in NumPy."""
    grad_fn, network, (data, label) = dense()
    (loss, _), (dw, db) = run(accumulate(grad_fn, 4))(data, label)
    weight, bias = (p.asnumpy() for p in network.trainable_params())
    residual = data.asnumpy() @ weight.T + bias - label.asnumpy()
    np.testing.assert_allclose(loss.asnumpy(), (residual**2).mean(), rtol=1e-5)
    np.testing.assert_allclose(dw.asnumpy(), residual.T @ data.asnumpy() / 8, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(db.asnumpy(), residual.sum(0) / 8, rtol=1e-5, atol=1e-6)


def test_accumulate_over_one_step_changes_nothing():
    """Oracle: the function that went in."""
    grad_fn, _, _ = dense()
    assert accumulate(grad_fn, 1) is grad_fn


def test_accumulate_compiles_once():
    """Oracle: MindSpore's own list of compiled graphs, over batches of one shape."""
    grad_fn, _, (data, label) = dense()
    compiled = ms.jit(accumulate(grad_fn, 2))
    before = len(ms_compile_cache)
    for factor in (1.0, 2.0, 3.0):
        compiled(data * factor, label)
    assert len(ms_compile_cache) == before + 1


def test_accumulate_in_a_compiled_loop_of_updates():
    """Oracle: three steps of gradient descent on the whole batch, by hand in NumPy."""
    grad_fn, network, batch = dense()
    weight, bias = network.trainable_params()
    grad_fn = accumulate(grad_fn, 2)
    w, b, data, label = (x.asnumpy().copy() for x in (weight, bias, *batch))

    @ms.jit
    def descend(steps, data, label):
        while steps > 0:
            dw, db = grad_fn(data, label)[1]
            ops.assign(weight, weight - 0.1 * dw)
            ops.assign(bias, bias - 0.1 * db)
            steps = steps - 1
        return steps

    descend(ms.Tensor(3), *batch)
    for _ in range(3):
        residual = data @ w.T + b - label
        w, b = w - 0.1 * residual.T @ data / 8, b - 0.1 * residual.sum(0) / 8
    np.testing.assert_allclose(weight.asnumpy(), w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(bias.asnumpy(), b, rtol=1e-5, atol=1e-6)
