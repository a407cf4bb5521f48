"""The order in which rows are fed, and the metrics of a split."""

from dataclasses import replace

import numpy as np
import pytest
from mindspore import nn

from package import task
from package.config import Config
from package.engine.ranks import World
from package.engine.rows import Dataset, Split

ROWS = Split(np.arange(10, dtype=np.float32)[:, None], np.arange(10, dtype=np.int32))


def test_no_row_is_fed_twice():
    """10 rows in batches of 3 are 3 whole batches: 9 different rows."""
    feed = task.batches(ROWS, 3, 2, 0, 1)
    order = [int(row) for steps, (_, label) in feed for row in label[:steps].ravel()]
    assert len(order) == len(set(order)) == 9


def test_rows_and_labels_stay_together():
    """Row i holds the number i, and so does its label."""
    for _, (data, label) in task.batches(ROWS, 3, 2, 0, 1):
        assert np.array_equal(data[..., 0], label)


def test_ranks_share_every_batch(monkeypatch):
    """Three ranks have a row each of every batch of 3: put together, those of one process."""
    whole, shares = list(task.batches(ROWS, 3, 2, 0, 1)), []
    for rank in range(3):
        monkeypatch.setattr(task, "world", lambda rank=rank: World(rank, 3))
        shares.append(list(task.batches(ROWS, 3, 2, 0, 1)))
    for (steps, arrays), *parts in zip(whole, *shares):
        assert {part.steps for part in parts} == {steps}
        for array, *own in zip(arrays, *[part.arrays for part in parts]):
            assert np.array_equal(np.concatenate(own, axis=1), array)


@pytest.mark.parametrize("batch", [1, 4, 10, 256])
def test_metrics_do_not_depend_on_the_batch(batch: int, config: Config, monkeypatch):
    """By hand: the network and the loss give each row's number: the mean of 0 .. 9 is 4.5."""
    monkeypatch.setattr(task, "ROWS", batch)
    monkeypatch.setattr(task, "create_loss", lambda *_, **__: lambda logits, label: logits[:, 0])
    monkeypatch.setattr(task, "observe", lambda logits, label: logits)
    seen = []

    def measure(observed: np.ndarray, label: np.ndarray) -> dict[str, float]:
        seen.append((observed, label))
        return {"m": 1.0}

    monkeypatch.setattr(task, "create_measure", lambda _: measure)
    config.execution = "pynative"
    data = np.arange(10, dtype=np.float32)[:, None]
    split = Split(data, np.arange(10, dtype=np.int32))
    dataset = Dataset(Split(data + 7, split.label), split, split, outputs=10)
    evaluate, _ = task.create_evaluate(nn.Identity(), dataset, config)
    assert evaluate("validation") == {"loss": 4.5, "m": 1.0}
    ((observed, label),) = seen
    assert np.array_equal(observed, split.data) and np.array_equal(label, split.label)


def test_run_is_judged_where_its_training_rows_are_gone(config: Config, monkeypatch):
    """What the run kept is enough: no batch of training rows has to be there."""
    made = task.create_task(config)
    if made.kept is None:
        pytest.skip("load in data.py keeps nothing of these data")
    dataset = task.load(config)
    gone = replace(dataset, train=dataset.train.first(0))
    monkeypatch.setattr(task, "load", lambda config, kept: gone)
    later = task.create_task(config, made.kept)
    assert np.isfinite(later.score(later.evaluate("test")))
