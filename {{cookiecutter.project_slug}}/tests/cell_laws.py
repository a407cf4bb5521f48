"""What holds for every network."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


def assert_rows_are_independent(network: Callable, data: np.ndarray) -> None:
    """Compare each row's output with that of the row alone, in a batch of its own."""
    together = network(Tensor(data)).asnumpy()
    alone = [network(Tensor(data[i : i + 1])).asnumpy() for i in range(len(data))]
    np.testing.assert_allclose(together, np.concatenate(alone), rtol=1e-4, atol=1e-5)


def assert_every_parameter_gets_a_gradient(
    network: Callable, parameters: list[Parameter], data: np.ndarray
) -> None:
    """Nothing that is trained may be left out of the output."""

    def exponentials(x):  # a sum of squares would have no slope where an output is 0
        return ops.sum(ops.exp(network(x)))

    slopes = ms.grad(exponentials, None, parameters)(Tensor(data))
    for parameter, slope in zip(parameters, slopes, strict=True):
        assert np.abs(slope.asnumpy()).max() > 1e-6, parameter.name


def assert_seed_decides(create: Callable[[], nn.Cell]) -> None:
    """The same seed gives the same bits, another one other draws in every tensor that is drawn."""
    weights = []
    for seed in (1, 1, 2):
        ms.set_seed(seed)
        weights.append({p.name: p.asnumpy() for p in create().trainable_params()})
    for name, weight in weights[0].items():
        np.testing.assert_array_equal(weight, weights[1][name])
        if not (weight == weight.flat[0]).all():
            assert (weight != weights[2][name]).any(), name
