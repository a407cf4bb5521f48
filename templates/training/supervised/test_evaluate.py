"""Loss and metrics over a split."""

import numpy as np
import pytest
from mindspore import Tensor

from {{ cookiecutter.package_name }} import evaluate
from {{ cookiecutter.package_name }}.engine.rows import Dataset, Split

ROWS = np.arange(10, dtype=np.float32)[:, None]
{%% if cookiecutter.task == "regression" %%}
SPLIT = Split(ROWS, ROWS + np.array([[0], [2]] * 5, np.float32))
{%% elif cookiecutter.task == "language_model" %%}
SPLIT = Split(ROWS, np.log(np.tile([[2], [8]], (5, 1))))
{%% else %%}
SPLIT = Split(ROWS, np.array([0, 1] * 5, np.int32))
{%% endif %%}
NAN = Split(ROWS * np.nan, SPLIT.label)


def eval_step(data: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
    """Stand in for a network: {{ {"regression": "it predicts the row's number", "language_model": "the label is what a byte takes", "classification": "it says class 1 from row 5 on"}[cookiecutter.task] }}, and the loss is that number."""
{%% if cookiecutter.task == "regression" %%}
    return data, data
{%% elif cookiecutter.task == "language_model" %%}
    return label, data[:, 0]
{%% else %%}
    return Tensor(np.stack([0 * data.asnumpy()[:, 0] + 4.5, data.asnumpy()[:, 0]], axis=1)), data
{%% endif %%}


@pytest.mark.parametrize("batch", [1, 4, 10, 256])
def test_result_does_not_depend_on_the_batch(batch: int, monkeypatch):
    """By hand: the losses 0 .. 9 have the mean 4.5, and rows that fill a batch up do not count."""
    monkeypatch.setattr(evaluate, "BATCH", batch)
{%% if cookiecutter.task == "regression" %%}
    dataset = Dataset(NAN, SPLIT, NAN, outputs=1, label_unit=10.0)
    result = evaluate.evaluate_split(eval_step, dataset, "validation")
    # every second row is 2 too low: mean error 1, in units of 10; squares sum to 20
    spread = ((SPLIT.label - SPLIT.label.mean()) ** 2).sum()
    assert result == pytest.approx({"loss": 4.5, "mae": 10.0, "r2": 1 - 20 / spread})
{%% elif cookiecutter.task == "language_model" %%}
    dataset = Dataset(NAN, SPLIT, NAN, outputs=256)
    result = evaluate.evaluate_split(eval_step, dataset, "validation")
    # every second row has probability 1/2, the others 1/8: 1 and 3 bits
    assert result == pytest.approx({"loss": 4.5, "bits_per_byte": 2.0, "perplexity": 4.0})
{%% else %%}
    dataset = Dataset(NAN, SPLIT, NAN, outputs=2)
    result = evaluate.evaluate_split(eval_step, dataset, "validation")
    # rows 0, 2, 4 of class 0 and 5, 7, 9 of class 1 are right
    assert result == pytest.approx({"loss": 4.5, "accuracy": 0.6})
{%% endif %%}


def test_every_batch_has_one_shape(monkeypatch):
    """10 rows in batches of 4: three calls of 4 rows, so that nothing compiles twice."""
    monkeypatch.setattr(evaluate, "BATCH", 4)
    shapes = []

    def watched(data: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
        shapes.append((data.shape, label.shape))
        return eval_step(data, label)

    evaluate.evaluate_split(watched, Dataset(SPLIT, NAN, NAN, outputs=2), "train")
    assert shapes == [((4, 1), (4, *SPLIT.label.shape[1:]))] * 3
{%% if cookiecutter.task == "language_model" %%}


@pytest.mark.parametrize("execution", ["graph", "pynative"])
def test_bytes_are_judged_without_the_penalty_of_a_loss(execution: str):
    """Oracle: log-softmax in float64 NumPy, where the loss says 7 for every row."""
    logits = np.random.default_rng(0).normal(scale=4, size=(2, 3, 5)).astype(np.float32)
    label = np.array([[0, 4, 2], [1, 3, 3]], np.int32)

    def network(data):
        return data

    def loss_fn(logits, label):
        return 0 * logits[:, 0, 0] + 7

    eval_step = evaluate.create_eval_step(network, loss_fn, execution)
    nats, losses = eval_step(Tensor(logits), Tensor(label))
    log_p = logits - np.log(np.exp(logits.astype(np.float64)).sum(2, keepdims=True))
    expected = -np.take_along_axis(log_p, label[..., None], 2)[..., 0]
    np.testing.assert_allclose(nats.asnumpy(), expected, rtol=1e-5, atol=1e-5)
    assert losses.asnumpy().tolist() == [7, 7]
{%% endif %%}
