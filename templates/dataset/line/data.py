"""A line with a little noise."""

import numpy as np

from .config import Config
from .engine.rows import Dataset, Split, split_rows


def load(config: Config) -> Dataset:
    r"""Draw ``dataset.rows`` points of a line.

    .. math:: y = 2 x + 3 + 0.01 \varepsilon

    Both :math:`x` and :math:`\varepsilon` are standard normal. Labels get mean 0 and deviation 1
    over the training rows: a linear network must end with the weight 2 / ``label_unit`` and the
    bias (3 - ``label_mean``) / ``label_unit``.
    """
    rng = np.random.default_rng(config.seed)
    x = rng.standard_normal((config.dataset.rows, 1))
    y = 2 * x + 3 + 0.01 * rng.standard_normal(x.shape)
    splits = split_rows(len(y), config.seed)
    mean, unit = y[splits[0]].mean(), y[splits[0]].std() or 1.0
    data, label = x.astype(np.float32), ((y - mean) / unit).astype(np.float32)
    train, validation, test = (Split(data[rows], label[rows]) for rows in splits)
    return Dataset(
        train, validation, test, outputs=1, label_unit=float(unit), label_mean=float(mean)
    )
