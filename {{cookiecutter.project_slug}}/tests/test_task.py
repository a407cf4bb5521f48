"""What the loop relies on in a task: its batches, its weights and its probe."""

from dataclasses import replace

import numpy as np
import pytest
from fresh import fresh, weights_of
from mindspore import Tensor

from {{ cookiecutter.package_name }}.config import Config


def batches(config: Config, epoch: int = 1, first: int = 0) -> list[np.ndarray]:
    """Each array of an epoch from a step on, its launches joined."""
    chunks = [[x[:steps] for x in arrays] for steps, arrays in fresh(config).feed(epoch, first)]
    return [np.concatenate(arrays) for arrays in zip(*chunks)]


def test_batches_depend_on_epoch_and_seed_only(short: Config):
    """An epoch can be replayed; the next one and another seed differ in every array."""
    first, again = batches(short), batches(short)
    other_seed = replace(short, seed=short.seed + 1)
    for other in (batches(short, 2), batches(other_seed)):
        for array, same, different in zip(first, again, other):
            assert np.array_equal(array, same)
            assert not np.array_equal(array, different)


def test_launches_do_not_change_the_batches(short: Config):
    """One, two or three steps a launch see the same rows."""
    expected = batches(replace(short, steps_per_call=1))
    for steps_per_call in (2, 3):
        found = batches(replace(short, steps_per_call=steps_per_call))
        assert all(map(np.array_equal, found, expected))


def test_epoch_goes_on_from_any_step(short: Config):
    """A resumed run is fed what the whole epoch has there, to the bit."""
    if not fresh(short).resumes_in_epoch:
        pytest.skip("this task resumes between epochs")
    whole = batches(short)
    for first in (1, 4):
        assert all(map(np.array_equal, batches(short, first=first), (x[first:] for x in whole)))


def test_every_launch_has_one_shape(short: Config):
    """The last one counts fewer steps and is as large as the others: nothing compiles twice."""
    task = fresh(replace(short, steps_per_call=3))
    chunks = list(task.feed(1, 0))
    assert sum(steps for steps, _ in chunks) == task.steps_per_epoch
    assert chunks[-1].steps < 3
    assert len({tuple(x.shape for x in arrays) for _, arrays in chunks}) == 1
    assert all(len(x) == 3 for x in chunks[0].arrays)


def test_seed_decides_the_weights(short: Config):
    """The same seed gives the same weights, another one others."""
    first, again, other = (
        np.concatenate([w.ravel() for w in weights_of(fresh(config))])
        for config in (short, short, replace(short, seed=short.seed + 1))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_optimizers_share_nothing(short: Config):
    """No weight is updated by two, and no two parameters of a graph have one name."""
    names = [p.name for o in fresh(short).optimizers for p in o.get_parameters()]
    assert len(set(names)) == len(names)


def test_probe_does_not_train(short: Config):
    """It is a loss, and the weights stay as they are to the bit."""
    task = fresh(short)
    before = weights_of(task)
    assert isinstance(task.probe(), Tensor) and np.isfinite(task.probe().asnumpy()).all()
    assert all(map(np.array_equal, before, weights_of(task)))
