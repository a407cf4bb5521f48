"""A line with a little noise."""

import numpy as np

from .config import Config
from .engine.kept import Kept, Source, divide, fingerprints
from .engine.numbers import read_rows
from .engine.rows import Dataset
from .engine.scaling import label_scale, standardise


def load(config: Config, kept: Kept | None = None) -> Dataset:
    r"""Draw ``dataset.rows`` points of a line.

    .. math:: y = 2 x + 3 + 0.01 \varepsilon

    Both :math:`x` and :math:`\varepsilon` are standard normal. Labels get mean 0 and deviation 1
    over the training rows: a linear network must end with the weight 2 / ``label_unit`` and the
    bias (3 - ``label_mean``) / ``label_unit``.
    """
    rng = np.random.default_rng(config.split_seed)
    x = rng.standard_normal((config.dataset.rows, 1))
    y = 2 * x + 3 + 0.01 * rng.standard_normal(x.shape)
    data = x.astype(np.float32)
    division = divide(Source("the line", fingerprints(data, y)), config.split_seed, kept)
    mean, unit = label_scale(y, division)
    label = standardise(y, mean, unit)
    return division.dataset(data, label, outputs=1, label_unit=unit, label_mean=mean)


def read_new(config: Config, kept: Kept, path: str) -> tuple[list[str], np.ndarray]:
    """Read new rows of one number, and what they are called."""
    names, rows = read_rows(path, kept.shape)
    return names, rows.astype(np.float32)
