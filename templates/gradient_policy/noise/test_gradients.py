"""Annealed Gaussian noise against plain NumPy."""

import mindspore as ms
import numpy as np
import pytest
from dense import dense
from given import apply, draw, given
from mindspore import ops

from package import gradients
from package.engine.accumulate import accumulate

SHAPES: list[tuple[int, ...]] = [(200, 100), (200, 100), (7,), ()]


def state(step=0, shapes=SHAPES):
    """Make parameters of ``shapes`` that are 0, and the counter of the updates done."""
    zeros = [ms.Parameter(ms.Tensor(np.zeros(s, np.float32)), name=f"w{s}") for s in shapes]
    return zeros, ms.Parameter(ms.Tensor([step], ms.int32), name="global_step")


def noise_at(step, eta=0.3, gamma=0.55, seed=0):
    """Return what is added to each gradient after ``step`` updates."""
    policy = gradients.noise(given, *state(step), eta, gamma, seed)
    return apply(policy, [np.zeros(shape, np.float32) for shape in SHAPES])


@pytest.mark.parametrize("step, deviation", [(0, 0.0548), (100, 0.0154)])
def test_deviation_of_a_weight_change(step, deviation):
    """Oracle: by hand. 0.1 sqrt(0.3 / (1 + t)^0.55); an estimate from 20 000 is good to 0.5 %."""
    change = 0.1 * noise_at(step)[0]
    assert change.std() == pytest.approx(deviation, rel=0.02)


@pytest.mark.parametrize("step", [0, 1, 7, 100_000])
def test_annealing(step):
    """Oracle: the formula. Eta 1 and gamma 0 leave the standard normals themselves."""
    standard = noise_at(step, eta=1.0, gamma=0.0)
    for x, y in zip(standard, noise_at(step, 0.3, 0.55)):
        np.testing.assert_allclose(y, x * np.sqrt(0.3 / (1 + step) ** 0.55), rtol=1e-5)


def test_it_is_normal():
    """Oracle: the standard normal distribution's moments and its share within one deviation."""
    x = noise_at(0, eta=1.0)[0].ravel()
    tolerance = 4 / np.sqrt(x.size)
    assert abs(x.mean()) < tolerance
    assert abs((x**3).mean()) < 4 * tolerance
    assert (x**4).mean() == pytest.approx(3, abs=10 * tolerance)
    assert (abs(x) < 1).mean() == pytest.approx(0.6827, abs=tolerance / 2)


@pytest.mark.parametrize("lag", [0, 1, 100, 10 * gradients.BLOCK])
def test_tensors_and_steps_do_not_correlate(lag):
    """Oracle: 0, within four deviations of an estimate from 20 000."""
    steps = [np.stack([x.ravel() for x in noise_at(step)[:2]]) for step in (0, 1, 2, 1000)]
    rows = np.concatenate(steps)
    rows = np.concatenate([rows[:, lag:], np.roll(rows, lag, axis=1)[:, lag:]])
    correlation = np.corrcoef(rows)
    same = np.eye(len(rows), dtype=bool)
    if lag == 0:
        same |= np.roll(same, len(rows) // 2, axis=0)
    assert abs(correlation[~same]).max() < 4 / np.sqrt(rows.shape[1])


def test_it_is_added_to_the_gradient(run):
    """Oracle: the gradient plus the noise of a zero gradient."""
    arrays = draw(shapes=SHAPES)
    noisy = apply(run(gradients.noise(given, *state(5), 0.3, 0.55, 0)), arrays)
    for before, noise, after in zip(arrays, noise_at(5), noisy):
        assert after.shape == before.shape
        np.testing.assert_allclose(after, before + noise, rtol=1e-6)


def test_seed_and_step_alone_decide():
    """Oracle: the same pair again once MindSpore's own randomness moved; other pairs differ."""
    first = noise_at(3)[0]
    ms.set_seed(1)
    ops.rand(3)
    np.testing.assert_array_equal(first, noise_at(3)[0])
    assert not np.array_equal(first, noise_at(3, seed=1)[0])
    assert not np.array_equal(first, noise_at(4, gamma=0.0)[0])


@pytest.mark.parametrize("step", [gradients.WINDOWS - 1, gradients.WINDOWS, 2**31 - 1])
def test_it_goes_on_after_very_many_steps(step):
    """Oracle: the formula for the deviation, with the largest counter that int32 holds."""
    x = noise_at(step)[0]
    assert x.std() == pytest.approx(np.sqrt(0.3 / (1 + step) ** 0.55), rel=0.02)


def test_a_compiled_loop_goes_through_the_steps():
    """Oracle: the sum of the noise of steps 0, 1 and 2, each taken alone."""
    parameters, global_step = state()
    policy = gradients.noise(given, parameters, global_step, 0.3, 0.55, 0)

    @ms.jit
    def add_up(steps, *grads):
        total = grads[0]
        while steps > 0:
            total = total + policy(*grads)[1][0]
            ops.assign(global_step, global_step + 1)
            steps = steps - 1
        return total

    total = add_up(ms.Tensor(3), *[ms.Tensor(np.zeros(s, np.float32)) for s in SHAPES])
    expected = sum(noise_at(step)[0] for step in range(3))
    np.testing.assert_allclose(total.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_loss_and_aux_pass_through(run):
    """Oracle: the loss 7 and the aux (1, 2) that the inner function returns."""
    grad_fn = run(gradients.noise(given, *state(), 0.3, 0.55, 0))
    (loss, aux), _ = grad_fn(*[ms.Tensor(x) for x in draw(shapes=SHAPES)])
    assert loss.asnumpy() == 7
    np.testing.assert_array_equal(aux.asnumpy(), [1, 2])


def test_compiled_is_eager():
    """Oracle: the eager run, bit for bit."""
    policy = gradients.noise(given, *state(), 0.3, 0.55, 0)
    for eager, compiled in zip(
        apply(policy, draw(3, shapes=SHAPES)), apply(ms.jit(policy), draw(3, shapes=SHAPES))
    ):
        np.testing.assert_array_equal(eager, compiled)


def test_micro_batches_are_the_whole_batch(run):
    """Oracle: a law. Over the mean of 4 micro-batches it is what it is over the whole batch."""
    grad_fn, network, batch = dense()
    parameters = network.trainable_params()
    rest = (parameters, state()[1], 0.3, 0.55, 0)
    micro = gradients.noise(accumulate(grad_fn, 4), *rest)
    whole = gradients.noise(grad_fn, *rest)
    for x, y in zip(run(micro)(*batch)[1], whole(*batch)[1]):
        np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("eta, gamma", [(0.0, 0.55), (-1.0, 0.55), (0.3, -0.1)])
def test_a_setting_out_of_range_is_refused(eta, gamma):
    """Oracle: the contract, with the values in the message."""
    with pytest.raises(ValueError, match=f"{eta} and {gamma}"):
        gradients.noise(given, *state(), eta, gamma, 0)
