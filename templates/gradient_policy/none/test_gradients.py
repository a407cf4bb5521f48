"""Accumulation against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops
from mindspore.graph.api import ms_compile_cache

from package import gradients


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
