"""A layer to differentiate."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


def dense() -> tuple[Callable, nn.Cell, tuple[Tensor, Tensor]]:
    """Make a dense layer's ``grad_fn`` under the mean squared error, the layer and a batch."""
    rng = np.random.default_rng(0)
    weight, bias, data, label = (
        Tensor(rng.standard_normal(shape), ms.float32) for shape in [(2, 3), (2,), (8, 3), (8, 2)]
    )
    network = nn.Dense(3, 2, weight, bias)

    def forward_fn(data, label):
        logits = network(data)
        return ops.mean(ops.square(logits - label)), logits

    grad_fn = ms.value_and_grad(forward_fn, None, network.trainable_params(), has_aux=True)
    return grad_fn, network, (data, label)
