"""Samples, the loss and the metrics over a split."""

from dataclasses import replace

import numpy as np
import pytest
from mindspore import Tensor

from {{ cookiecutter.package_name }} import evaluate
from {{ cookiecutter.package_name }}.engine.rows import Split
from {{ cookiecutter.package_name }}.config import Config

SPLIT = Split(np.arange(10, dtype=np.float32)[:, None], np.zeros(10, np.int32))


def eval_step(real: Tensor, latent: Tensor) -> tuple[Tensor, Tensor]:
    """Stand in for the networks: the samples are the latents, a row's loss is its number."""
    return latent, real


def metrics(samples: np.ndarray, real: np.ndarray) -> dict[str, float]:
    """Stand in for the metrics: how many samples and how many real rows they are given."""
    return {"samples": len(samples), "rows": len(real)}


@pytest.mark.parametrize("batch", [1, 4, 10, 256])
@pytest.mark.parametrize("samples", [6, 25])
def test_result_does_not_depend_on_the_batch(batch: int, samples: int, config: Config, monkeypatch):
    """By hand: the losses 0 .. 9 have the mean 4.5, with fewer and with more samples than rows."""
    monkeypatch.setattr(evaluate, "SAMPLES", samples)
    monkeypatch.setattr(evaluate, "BATCH", batch)
    result, found = evaluate.evaluate_split(eval_step, metrics, SPLIT, config)
    assert result == {"loss": 4.5, "samples": samples, "rows": 10}
    latent = (samples, config.network.latent)
    rng = np.random.default_rng((config.seed, *b"evaluation"))
    assert np.array_equal(found, rng.standard_normal(latent, np.float32))


def test_every_batch_has_one_shape(config: Config, monkeypatch):
    """12 samples in batches of 5: three calls of 5 rows, so that nothing compiles twice."""
    monkeypatch.setattr(evaluate, "SAMPLES", 12)
    monkeypatch.setattr(evaluate, "BATCH", 5)
    shapes = []

    def watched(real: Tensor, latent: Tensor) -> tuple[Tensor, Tensor]:
        shapes.append((real.shape, latent.shape))
        return eval_step(real, latent)

    evaluate.evaluate_split(watched, metrics, SPLIT, config)
    assert shapes == [((5, 1), (5, config.network.latent))] * 3


def test_seed_decides_the_samples(config: Config):
    """The same latents every time, others for another seed."""
    first, again, other = (
        evaluate.evaluate_split(eval_step, metrics, SPLIT, c)[1]
        for c in (config, config, replace(config, seed=config.seed + 1))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
