"""One cycle against plain NumPy and numbers worked by hand."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops
from rates import rates

from package.schedule import OneCycle


def numpy_one_cycle(total: int, top: int) -> np.ndarray:
    """The rates of a whole run with the peak 0.3 at update ``top``, one by one in float64."""
    start, end = 0.3 / 25, 0.3 / 25 / 1e4
    expected = []
    for i in range(total):
        if i < top:
            expected.append(start + (0.3 - start) * (1 - np.cos(np.pi * i / top)) / 2)
        else:
            angle = np.pi * (i - top) / (total - 1 - top)
            expected.append(end + (0.3 - end) * (1 + np.cos(angle)) / 2)
    return np.array(expected)


@pytest.mark.parametrize("total, top", [(3, 1), (7, 1), (10, 2), (1000, 299)])
def test_whole_run(total: int, top: int) -> None:
    """Oracle: the formula in float64."""
    found = rates(OneCycle(0.3, total), total, total > 10)
    np.testing.assert_allclose(found, numpy_one_cycle(total, top), rtol=1e-5)


def test_by_hand() -> None:
    """By hand: from 25 / 25 up to 25 at 4 of 0..8, half way 13; down to 0.5, half way 12.75."""
    found = rates(OneCycle(25.0, 9, peak_fraction=5 / 9, final_divisor=2.0), 9)
    np.testing.assert_allclose(found[[0, 2, 4, 6, 8]], [1, 13, 25, 12.75, 0.5], rtol=1e-6)


def test_pytorch() -> None:
    """Oracle: the definition of PyTorch's ``OneCycleLR`` at its defaults, max_lr 1, 10 steps.

    Its peak is at 0.3 * 10 - 1 = 2, and (1 - cos(pi / 7)) / 2 = 0.0495156 of the way down from it
    at 3.
    """
    found = rates(OneCycle(1.0, 10), 10)
    expected = [0.04, 0.52, 1.0, 1 - 0.0495156 * (1 - 4e-6)]
    np.testing.assert_allclose(found[:4], expected, rtol=1e-6)


@pytest.mark.parametrize("total, top", [(3, 1), (4, 1), (10, 2)])
def test_end_points(total: int, top: int) -> None:
    """Oracle: the peak over 25 at first, the peak, and at last the peak over 250 000."""
    found = rates(OneCycle(1.0, total), total)
    np.testing.assert_allclose(found[[0, top, -1]], [0.04, 1.0, 4e-6], rtol=1e-6)
    assert found.argmax() == top
    assert found.argmin() == total - 1


def test_shortest_runs() -> None:
    """By hand: one update has the first rate, two have the first and the last."""
    np.testing.assert_allclose(rates(OneCycle(1.0, 1), 1), [0.04], rtol=1e-6)
    np.testing.assert_allclose(rates(OneCycle(1.0, 2), 2), [0.04, 4e-6], rtol=1e-6)


@pytest.mark.parametrize("fraction, top", [(0.0, 1), (1.0, 5)])
def test_peak_keeps_off_the_ends(fraction: float, top: int) -> None:
    """Oracle: at least one update of a run of seven comes before the peak, and one after it."""
    found = rates(OneCycle(1.0, 7, fraction), 7)
    assert found.argmax() == top
    np.testing.assert_allclose(found[[0, top, 6]], [0.04, 1.0, 4e-6], rtol=1e-6)


@pytest.mark.parametrize("total", [1, 2, 7])
def test_stays_beyond_the_end(total: int) -> None:
    """Oracle: the rate of the last update, which nothing after it changes."""
    found = rates(OneCycle(0.25, total), total + 5)
    np.testing.assert_array_equal(found[total:], np.full(5, found[total - 1]))


def test_graph_equals_eager() -> None:
    """Oracle: the eager run, to the bit."""
    schedule = OneCycle(0.3, 10)
    np.testing.assert_array_equal(rates(schedule, 12, compiled=True), rates(schedule, 12))


@pytest.mark.parametrize("shape", [(), (1,)])
def test_is_a_scalar(shape: tuple[int, ...]) -> None:
    """Oracle: what ``nn.Optimizer`` takes; it counts its updates in an int32 of shape (1,)."""
    rate = OneCycle(0.3, 10)(Parameter(ops.zeros(shape, ms.int32), name="step"))
    assert rate.shape == ()
    assert rate.dtype == ms.float32


def test_moves_an_optimizer() -> None:
    """Oracle: two weights pulled by a steady gradient of -1 go by the sum of the rates."""
    schedule = OneCycle(0.3, 10)
    weight = Parameter(ops.zeros(2, ms.float32), name="weight")
    optimizer = nn.SGD([weight], schedule)
    for _ in range(3):
        optimizer((Tensor([-1.0, -1.0], ms.float32),))
    np.testing.assert_allclose(weight.asnumpy(), sum(rates(schedule, 3)), rtol=1e-6)


@pytest.mark.parametrize("total", [2**24 + 9, 2**31 - 1])
def test_a_long_run(total: int) -> None:
    """Oracle: up to the peak, down without a rise, and at the last the peak over 250 000."""
    schedule = OneCycle(1.0, total)
    shares = np.linspace(0, 1, 1001)
    steps = np.unique(np.round(shares * (total - 1)).astype(np.int64))
    found = np.array([float(schedule(Tensor(int(i), ms.int32)).asnumpy()) for i in steps])
    assert np.isfinite(found).all()
    top = int(found.argmax())
    np.testing.assert_allclose(found[[0, top, -1]], [0.04, 1.0, 4e-6], rtol=1e-5)
    assert (np.diff(found[: top + 1]) >= 0).all() and (np.diff(found[top:]) <= 0).all()
