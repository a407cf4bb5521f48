"""The language model's metrics against numbers worked by hand."""

import math

import numpy as np
import pytest
from mindspore import Tensor

from package.engine.rows import Dataset, Split
from package.metrics import (
    create_measure,
    draw,
    observe,
    score,
)

SPLIT = Split(*np.zeros((2, 1, 3), np.int32))


def metrics(nats: np.ndarray) -> dict[str, float]:
    """The metrics of any text that are known here."""
    found = create_measure(Dataset(SPLIT, SPLIT, SPLIT, outputs=256))(nats, nats)
    return {name: found[name] for name in ("bits_per_byte", "perplexity")}


def test_by_hand() -> None:
    """By hand: probabilities 1/2, 1/8 and 1/4, 1/4 take 1, 3, 2 and 2 bits: 2 each, as 4 bytes."""
    nats = np.log(np.array([[2, 8], [4, 4]], np.float32))
    assert metrics(nats) == pytest.approx({"bits_per_byte": 2.0, "perplexity": 4.0})


def test_certain_and_clueless() -> None:
    """By hand: a sure thing takes no bits, one of 256 takes 8."""
    assert metrics(np.zeros((2, 3), np.float32)) == {"bits_per_byte": 0.0, "perplexity": 1.0}
    result = metrics(np.full((2, 3), math.log(256), np.float32))
    assert result == pytest.approx({"bits_per_byte": 8.0, "perplexity": 256.0})


def test_hopeless() -> None:
    """By hand: 2^1443 is no float64, and no error either."""
    result = metrics(np.full((2, 3), 1000, np.float32))
    assert result == pytest.approx({"bits_per_byte": 1000 / math.log(2), "perplexity": math.inf})


def test_many_bytes() -> None:
    """By hand: ten million times 0.1 nats, which float32 does not add up."""
    assert metrics(np.full(10**7, 0.1, np.float32))["perplexity"] == pytest.approx(math.exp(0.1))


def test_bytes_are_judged_by_their_likelihood() -> None:
    """Oracle: log-softmax in float64 NumPy."""
    logits = np.random.default_rng(0).normal(scale=4, size=(2, 3, 5)).astype(np.float32)
    label = np.array([[0, 4, 2], [1, 3, 3]], np.int32)
    log_p = logits - np.log(np.exp(logits.astype(np.float64)).sum(2, keepdims=True))
    expected = -np.take_along_axis(log_p, label[..., None], 2)[..., 0]
    found = observe(Tensor(logits), Tensor(label)).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_lower_losses_score_higher() -> None:
    """By hand: 0.1 is better than 0.5."""
    assert score({"loss": 0.1}) > score({"loss": 0.5})


def test_picture_is_by_position(tmp_path, monkeypatch) -> None:
    """By hand: 3 and 1 bits at the first byte, 2 and 4 at the second: 2 and 3 in the mean."""
    drawn: list[np.ndarray] = []
    monkeypatch.setattr("matplotlib.axes.Axes.plot", lambda axes, *a, **b: drawn.extend(a))
    nats = np.array([[3, 2], [1, 4]], np.float32) * math.log(2)
    draw(nats, nats, Dataset(SPLIT, SPLIT, SPLIT, outputs=256), tmp_path / "test.png")
    assert drawn[0].tolist() == [1, 2]
    np.testing.assert_allclose(drawn[1], [2, 3], rtol=1e-6)
    assert (tmp_path / "test.png").read_bytes().startswith(b"\x89PNG")
