"""Friedman's first regression function."""

import numpy as np

from .config import Config
from .engine.kept import Kept, Source, divide, fingerprints
from .engine.numbers import read_rows
from .engine.rows import Dataset
from .engine.scaling import label_scale, standardise


def load(config: Config, kept: Kept | None = None) -> Dataset:
    r"""Draw ``dataset.rows`` rows of 10 inputs, uniform in [0, 1), and one noisy output.

    .. math:: y = 10 \sin(\pi x_0 x_1) + 20 (x_2 - 1/2)^2 + 10 x_3 + 5 x_4 + \varepsilon

    The last five inputs say nothing. The noise has deviation ``dataset.noise``; at 1.0 the best
    reachable R² is 0.96. Labels get mean 0 and deviation 1 over the training rows. Jerome H.
    Friedman, *Multivariate adaptive regression splines*, 1991.
    """
    rng = np.random.default_rng(config.split_seed)
    x = rng.random((config.dataset.rows, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    y += 10 * x[:, 3] + 5 * x[:, 4]
    y += config.dataset.noise * rng.standard_normal(len(y))
    data = x.astype(np.float32)
    source = Source("Friedman's function", fingerprints(data, y))
    division = divide(source, config.split_seed, kept)
    mean, unit = label_scale(y, division)
    label = standardise(y, mean, unit)[:, None]
    return division.dataset(data, label, outputs=1, label_unit=unit, label_mean=mean)


def read_new(config: Config, kept: Kept, path: str) -> tuple[list[str], np.ndarray]:
    """Read new rows of 10 inputs, and what they are called."""
    names, rows = read_rows(path, kept.shape)
    return names, rows.astype(np.float32)
