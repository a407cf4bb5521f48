"""The order in which rows are fed, and the metrics of a split."""

from dataclasses import replace

import numpy as np
import pytest
from mindspore import Tensor, nn

from {{ cookiecutter.package_name }} import task
from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine.rows import Dataset, Split

ROWS = Split(np.arange(10, dtype=np.float32)[:, None], np.arange(10, dtype=np.int32))


def epoch_order(epoch: int, seed: int = 0, steps_per_call: int = 2) -> list[int]:
    """Row numbers in the order in which an epoch of batches of 3 feeds them."""
    feed = task.batches(ROWS, 3, steps_per_call, seed, epoch)
    return [int(row) for steps, (_, label) in feed for row in label[:steps].ravel()]


def test_no_row_is_fed_twice():
    """10 rows in batches of 3 are 3 whole batches: 9 different rows."""
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
    feed = task.batches(ROWS, 3, 2, 0, 1)
    calls = [(steps, data.shape, label.shape) for steps, (data, label) in feed]
    assert calls == [(2, (2, 3, 1), (2, 3)), (1, (2, 3, 1), (2, 3))]


def test_rows_and_labels_stay_together():
    """Row i holds the number i, and so does its label."""
    for _, (data, label) in task.batches(ROWS, 3, 2, 0, 1):
        assert np.array_equal(data[..., 0], label)


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


def test_probe_does_not_train(config: Config):
    """It is a loss, and the weights stay as they are to the bit."""
    made = task.create_task(config)
    before = [w.asnumpy().copy() for w in made.network.trainable_params()]
    assert isinstance(made.probe(), Tensor) and np.isfinite(made.probe().asnumpy()).all()
    assert all(map(np.array_equal, before, (w.asnumpy() for w in made.network.trainable_params())))


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
