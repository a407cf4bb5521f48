{%% set penalty = cookiecutter.__loss == "wasserstein_gp" %%}
"""The order in which rows and latents are fed, and the metrics of samples."""

from dataclasses import replace

import numpy as np
import pytest
from mindspore import Tensor, nn

from package import task
from package.config import Config
from package.engine.ranks import World
from package.engine.rows import Dataset, Split

ROWS = Split(np.arange(10, dtype=np.float32)[:, None], np.arange(10, dtype=np.int32))


def test_no_row_is_fed_twice_to_an_update():
    """10 rows in batches of 3 are 3 steps: 9 different rows, in another order for each update."""
    config = replace(Config(), batch_size=3, discriminator_steps=2)
    ((_, (real, latent, *_)),) = task.batches(ROWS.data, config, 3, 1)
    assert real.shape == (3, 2, 3, 1)
    assert latent.shape == (3, 3, 3, config.network.latent)
    first, second = real[:, 0].ravel().tolist(), real[:, 1].ravel().tolist()
    assert len(set(first)) == len(set(second)) == 9
    assert first != second


def test_ranks_share_every_batch(monkeypatch):
    """Three ranks have a row each, and of each draw of batch 3 theirs: put together, all of it."""
    config = replace(Config(), batch_size=3, discriminator_steps=2)
    whole, shares = list(task.batches(ROWS.data, config, 2, 1)), []
    for rank in range(3):
        monkeypatch.setattr(task, "world", lambda rank=rank: World(rank, 3))
        shares.append(list(task.batches(ROWS.data, config, 2, 1)))
    for (_, arrays), *parts in zip(whole, *shares):
        for array, *own in zip(arrays, *[part.arrays for part in parts]):
            assert np.array_equal(np.concatenate(own, axis=2), array)


def test_latents_are_standard_normal():
    """Mean 0 and deviation 1, known to 2 % from 5 000 draws and more; none occurs twice."""
    data = np.zeros((2000, 1), np.float32)
    config = replace(Config(), batch_size=500, discriminator_steps=2)
    ((_, arrays),) = task.batches(data, config, 4, 1)
    latent = arrays[1]
    assert latent.mean() == pytest.approx(0, abs=0.04)
    assert latent.std() == pytest.approx(1, abs=0.03)
    assert len(np.unique(latent)) > 0.99 * latent.size
{%% if penalty %%}


def test_mix_is_uniform():
    """Between 0 and 1, mean 1/2 and deviation 12^(-1/2), one for each image."""
    data = np.zeros((2000, 3, 4, 4), np.float32)
    config = replace(Config(), batch_size=500, discriminator_steps=2)
    ((_, arrays),) = task.batches(data, config, 4, 1)
    mix = arrays[2]
    assert mix.shape == (4, 2, 500, 1, 1, 1)
    assert 0 <= mix.min() < 0.01 and 0.99 < mix.max() < 1
    assert mix.mean() == pytest.approx(0.5, abs=0.03)
    assert mix.std() == pytest.approx(12**-0.5, abs=0.02)
{%% endif %%}


class Networks(nn.Cell):
    """Stand in for two networks: a sample is its latent, a logit the row's first number."""

    def generator(self, latent: Tensor) -> Tensor:
        return latent

    def discriminator(self, rows: Tensor) -> Tensor:
        return rows


@pytest.fixture
def judged(config: Config, monkeypatch):
    """What ``create_evaluate`` makes of the stand-ins; a row's loss is its number."""

    def judge(samples: int, batch: int, seed: int = 0):
        monkeypatch.setattr(task, "SAMPLES", samples)
        monkeypatch.setattr(task, "ROWS", batch)
        monkeypatch.setattr(task, "create_loss", lambda *_, **__: lambda real, fake: real[:, 0])
        measure = lambda samples, real: {"samples": len(samples), "rows": len(real)}  # noqa: E731
        monkeypatch.setattr(task, "create_measure", lambda *_: measure)
        chosen = replace(config, execution="pynative", seed=seed)
        dataset = Dataset(ROWS, ROWS, ROWS, outputs=10)
        return task.create_evaluate(Networks(), dataset, chosen)

    return judge


@pytest.mark.parametrize("batch", [1, 4, 10, 256])
@pytest.mark.parametrize("samples", [6, 25])
def test_metrics_do_not_depend_on_the_batch(batch: int, samples: int, judged, config: Config):
    """By hand: the losses 0 .. 9 have the mean 4.5, with fewer and with more samples than rows."""
    evaluate, sample = judged(samples, batch)
    assert evaluate("validation") == {"loss": 4.5, "samples": samples, "rows": 10}
    rng = np.random.default_rng((0, *b"evaluation"))
    expected = rng.standard_normal((samples, config.network.latent), np.float32)
    assert np.array_equal(sample(ROWS)[0], expected)


def test_seed_decides_the_samples(judged):
    """The same latents every time, others for another seed."""
    first, again, other = (judged(20, 8, seed)[1](ROWS)[0] for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_range_of_the_samples_is_that_of_the_run(config: Config):
    """A generator's outputs are scaled by the training rows, also where those are gone."""
    dataset = task.load(config)
    gone = replace(dataset, train=dataset.train.first(0))
    assert dataset.limits == gone.limits
    assert dataset.limits == (dataset.train.data.min(), dataset.train.data.max())
