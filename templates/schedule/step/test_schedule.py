"""The drops against plain NumPy and numbers worked by hand."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops
from rates import rates

from package.engine.errors import InputError
from package.schedule import Step


@pytest.mark.parametrize("total", [1, 2, 7, 1000])
def test_whole_run(total: int) -> None:
    """Oracle: as many drops as there are thirds of the run behind an update."""
    expected = [0.3 * 0.1 ** ((i >= total / 3) + (i >= 2 * total / 3)) for i in range(total)]
    np.testing.assert_allclose(rates(Step(0.3, total), total, total > 10), expected, rtol=1e-6)


def test_by_hand() -> None:
    """By hand: six updates in three parts of two, each at half the rate before."""
    found = rates(Step(0.5, 6, drops=2, factor=0.5), 6)
    assert found.tolist() == [0.5, 0.5, 0.25, 0.25, 0.125, 0.125]


def test_one_drop() -> None:
    """By hand: the middle one of five updates is the last before the drop."""
    found = rates(Step(0.5, 5, drops=1, factor=0.25), 5)
    assert found.tolist() == [0.5, 0.5, 0.5, 0.125, 0.125]


@pytest.mark.parametrize("total", [1, 2, 7])
def test_stays_beyond_the_end(total: int) -> None:
    """By hand: two drops to a half each leave a quarter, a run's length later too."""
    found = rates(Step(1.0, total, factor=0.5), 3 * total)
    assert found[total:].tolist() == [0.25] * (2 * total)


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    schedule = Step(0.3, 10)
    np.testing.assert_array_equal(rates(schedule, 12, compiled=True), rates(schedule, 12))


@pytest.mark.parametrize("shape", [(), (1,)])
def test_is_a_scalar(shape: tuple[int, ...]) -> None:
    """Oracle: what ``nn.Optimizer`` takes; it counts its updates in an int32 of shape (1,)."""
    rate = Step(0.3, 10)(Parameter(ops.zeros(shape, ms.int32), name="step"))
    assert rate.shape == ()
    assert rate.dtype == ms.float32


def test_moves_an_optimizer() -> None:
    """Oracle: two weights pulled by a steady gradient of -1 go by the sum of the rates."""
    schedule = Step(0.3, 10)
    weight = Parameter(ops.zeros(2, ms.float32), name="weight")
    optimizer = nn.SGD([weight], schedule)
    for _ in range(3):
        optimizer((Tensor([-1.0, -1.0], ms.float32),))
    np.testing.assert_allclose(weight.asnumpy(), sum(rates(schedule, 3)), rtol=1e-6)


def test_many_drops_in_a_long_run() -> None:
    """By hand: a tenth of the way 1000 parts are 100; int32 holds 2.1 million updates of them."""
    schedule = Step(1.0, 2**31 - 1, drops=999, factor=0.999)
    for step, part in [(0, 0), (2_150_000, 1), (214_748_365, 100), (2**31 - 2, 999)]:
        rate = float(schedule(Tensor(step, ms.int32)).asnumpy())
        assert rate == pytest.approx(0.999**part, rel=1e-4)


def test_more_drops_than_updates_can_be_are_refused() -> None:
    """Oracle: the contract, with the value in the message."""
    with pytest.raises(InputError, match="2147483648"):
        Step(1.0, 10, drops=2**31)
