"""The split of the rows and the order in which they are fed."""

import numpy as np

from {{ cookiecutter.package_name }} import batches

ROWS = batches.Split(np.arange(10, dtype=np.float32)[:, None], np.arange(10, dtype=np.int32))


def epoch_order(epoch: int, seed: int = 0, steps_per_call: int = 2) -> list[int]:
    """Row numbers in the order in which an epoch of batches of 3 feeds them."""
    feed = batches.batches(ROWS, 3, steps_per_call, seed, epoch)
    return [int(row) for steps, _, label in feed for row in label[:steps].ravel()]


def test_no_row_is_fed_twice():
    """10 rows in batches of 3 are 3 whole batches: 9 different rows."""
    assert batches.steps_per_epoch(10, 3) == 3
    assert batches.steps_per_epoch(10, 10) == 1
    order = epoch_order(1)
    assert len(order) == len(set(order)) == 9


def test_order_depends_on_epoch_and_seed_only():
    """An epoch can be replayed; the next epoch and another seed have other orders."""
    assert epoch_order(1) == epoch_order(1)
    assert epoch_order(1) != epoch_order(2)
    assert epoch_order(1) != epoch_order(1, seed=1)
    assert epoch_order(2, seed=0) != epoch_order(1, seed=1)


def test_stacking_does_not_change_the_order():
    """One, two or three batches a call feed the same rows."""
    assert epoch_order(1, steps_per_call=1) == epoch_order(1, steps_per_call=2)
    assert epoch_order(1, steps_per_call=1) == epoch_order(1, steps_per_call=3)


def test_every_call_has_one_shape():
    """3 batches in calls of 2: the last call counts one batch and is as large as the first."""
    feed = batches.batches(ROWS, 3, 2, 0, 1)
    calls = [(steps, data.shape, label.shape) for steps, data, label in feed]
    assert calls == [(2, (2, 3, 1), (2, 3)), (1, (2, 3, 1), (2, 3))]


def test_rows_and_labels_stay_together():
    """Row i holds the number i, and so does its label."""
    for _, data, label in batches.batches(ROWS, 3, 2, 0, 1):
        assert np.array_equal(data[..., 0], label)
