"""The order in which the steps of a rollout are learned from."""

import numpy as np
import pytest

from package import task
from package.engine.errors import InputError
from package.rollout import Rows


def rows(count: int = 10) -> Rows:
    """Row i holds the number i everywhere."""
    numbers = np.arange(count)
    observation = np.stack([numbers, numbers], 1).astype(np.float32)
    return Rows(observation, numbers, *[numbers.astype(np.float32)] * 3)


def order(count: int) -> list[int]:
    """Row numbers in the order in which five minibatches of 3 feed them."""
    feed = task.minibatches(rows(count), 3, 5, 2, 0, 1)
    return [int(row) for steps, arrays in feed for row in arrays[1][:steps].ravel()]


def test_updates_are_whole_minibatches():
    """10 rows in minibatches of 3 are 3 a pass; a whole rollout is one."""
    assert task.updates_per_rollout(10, 3, 1) == 3
    assert task.updates_per_rollout(10, 3, 4) == 12
    assert task.updates_per_rollout(10, 10, 2) == 2


def test_batch_larger_than_a_rollout_is_refused():
    """It would be a rollout without an update."""
    with pytest.raises(InputError, match="batch_size 11 is larger .* use at most 10"):
        task.updates_per_rollout(10, 11, 4)


def test_every_row_comes_once_before_any_comes_twice():
    """Ten rows, then five of them again."""
    taken = order(10)
    assert len(taken) == 15
    assert sorted(taken[:10]) == list(range(10))
    assert len(set(taken[10:])) == 5
    assert taken[:5] != taken[10:]


def test_fewer_rows_make_as_many_minibatches():
    """Episodes that ended left 7 rows in place of 10: each comes twice, one a third time."""
    taken = order(7)
    assert len(taken) == 15
    assert sorted(np.bincount(taken)) == [2] * 6 + [3]


def test_what_belongs_to_a_row_stays_together():
    """Row i holds the number i, in every array."""
    for _, (observation, *others) in task.minibatches(rows(), 3, 5, 2, 0, 1):
        for other in others:
            np.testing.assert_array_equal(observation[..., 0], other)
