"""The constant rate against plain NumPy and numbers worked by hand."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops
from rates import rates

from package.schedule import Constant


def test_every_update_has_the_rate() -> None:
    """Oracle: the rate given."""
    np.testing.assert_array_equal(rates(Constant(0.3), 5), np.full(5, 0.3, np.float32))


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    schedule = Constant(0.3)
    np.testing.assert_array_equal(rates(schedule, 12, compiled=True), rates(schedule, 12))


@pytest.mark.parametrize("shape", [(), (1,)])
def test_is_a_scalar(shape: tuple[int, ...]) -> None:
    """Oracle: what ``nn.Optimizer`` takes; it counts its updates in an int32 of shape (1,)."""
    rate = Constant(0.3)(Parameter(ops.zeros(shape, ms.int32), name="step"))
    assert rate.shape == ()
    assert rate.dtype == ms.float32


def test_moves_an_optimizer() -> None:
    """Oracle: two weights pulled by a steady gradient of -1 go by the sum of the rates."""
    schedule = Constant(0.3)
    weight = Parameter(ops.zeros(2, ms.float32), name="weight")
    optimizer = nn.SGD([weight], schedule)
    for _ in range(3):
        optimizer((Tensor([-1.0, -1.0], ms.float32),))
    np.testing.assert_allclose(weight.asnumpy(), sum(rates(schedule, 3)), rtol=1e-6)
