"""Warm-up and cosine against plain NumPy and numbers worked by hand."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops
from rates import rates

from package.schedule import Cosine


def numpy_cosine(total: int, warmup: int, final: float) -> np.ndarray:
    """The rates of a whole run with the peak 0.3, one after the other in float64."""
    expected = []
    for i in range(total):
        if i < warmup:
            expected.append(0.3 * (i + 1) / (warmup + 1))
        else:
            angle = np.pi * (i - warmup) / (total - 1 - warmup)
            expected.append(0.3 * (final + (1 - final) * (1 + np.cos(angle)) / 2))
    return np.array(expected)


@pytest.mark.parametrize("final", [0.0, 0.1])
@pytest.mark.parametrize("total, fraction, warmup", [(2, 0.05, 0), (7, 0.3, 2), (1000, 0.05, 50)])
def test_whole_run(total: int, fraction: float, warmup: int, final: float) -> None:
    """Oracle: the formula in float64."""
    found = rates(Cosine(0.3, total, fraction, final), total, total > 10)
    np.testing.assert_allclose(found, numpy_cosine(total, warmup, final), rtol=1e-5, atol=1e-9)


def test_by_hand() -> None:
    """By hand: two updates up, the peak, and at a half and at two thirds of the way 1/2 and 1/4."""
    found = rates(Cosine(0.3, 6, warmup_fraction=0.34), 6)
    np.testing.assert_allclose(found, [0.1, 0.2, 0.3, 0.225, 0.075, 0.0], rtol=1e-6, atol=1e-9)


def test_end_points() -> None:
    """Oracle: above 0 at first, the exact peak at the ramp's end, exactly 0 at the last update."""
    found = rates(Cosine(0.25, 100, 0.05), 100, compiled=True)
    assert found[0] > 0
    assert found.argmax() == 5
    assert found[5] == 0.25
    assert (np.diff(found[:6]) > 0).all() and (np.diff(found[5:]) < 0).all()
    assert found[99] == 0


@pytest.mark.parametrize("total", [1, 2, 7])
def test_stays_beyond_the_end(total: int) -> None:
    """Oracle: the rate of the last update, which nothing after it changes."""
    found = rates(Cosine(0.25, total), total + 5)
    np.testing.assert_array_equal(found[total:], np.full(5, found[total - 1]))


@pytest.mark.parametrize("fraction", [0.0, 0.5, 1.0])
def test_single_update_has_the_peak(fraction: float) -> None:
    """Oracle: the peak: a run of one update would not move at the final rate."""
    assert rates(Cosine(0.25, 1, fraction), 1).tolist() == [0.25]


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    schedule = Cosine(0.3, 10)
    np.testing.assert_array_equal(rates(schedule, 12, compiled=True), rates(schedule, 12))


@pytest.mark.parametrize("shape", [(), (1,)])
def test_is_a_scalar(shape: tuple[int, ...]) -> None:
    """Oracle: what ``nn.Optimizer`` takes; it counts its updates in an int32 of shape (1,)."""
    rate = Cosine(0.3, 10)(Parameter(ops.zeros(shape, ms.int32), name="step"))
    assert rate.shape == ()
    assert rate.dtype == ms.float32


def test_moves_an_optimizer() -> None:
    """Oracle: two weights pulled by a steady gradient of -1 go by the sum of the rates."""
    schedule = Cosine(0.3, 10)
    weight = Parameter(ops.zeros(2, ms.float32), name="weight")
    optimizer = nn.SGD([weight], schedule)
    for _ in range(3):
        optimizer((Tensor([-1.0, -1.0], ms.float32),))
    np.testing.assert_allclose(weight.asnumpy(), sum(rates(schedule, 3)), rtol=1e-6)


@pytest.mark.parametrize("total", [2**24 + 9, 2**31 - 1])
def test_a_long_run(total: int) -> None:
    """Oracle: a ramp up to the exact peak, a descent that never rises, and exactly 0 at last."""
    schedule = Cosine(0.25, total, 0.05)
    shares = np.linspace(0, 1, 1001)
    steps = np.unique(np.round(shares * (total - 1)).astype(np.int64))
    found = np.array([float(schedule(Tensor(int(i), ms.int32)).asnumpy()) for i in steps])
    assert np.isfinite(found).all()
    top = found.argmax()
    assert found[top] == 0.25 and found[-1] == 0
    assert (np.diff(found[: top + 1]) >= 0).all() and (np.diff(found[top:]) <= 0).all()
