"""A line with a little noise."""

import numpy as np

from .config import Config
from .engine.rows import Dataset, Split, split_rows


def load(config: Config) -> Dataset:
    r"""Draw ``dataset.rows`` points of a line.

    .. math:: y = 2 x + 3 + 0.01 \varepsilon

    Both :math:`x` and :math:`\varepsilon` are standard normal. Nothing is scaled, so that a linear
    network must end with weight 2 and bias 3.
    """
    rng = np.random.default_rng(config.seed)
    x = rng.standard_normal((config.dataset.rows, 1))
    y = 2 * x + 3 + 0.01 * rng.standard_normal(x.shape)
    data, label = x.astype(np.float32), y.astype(np.float32)
    train, validation, test = (
        Split(data[rows], label[rows]) for rows in split_rows(len(y), config.seed)
    )
    return Dataset(train, validation, test, outputs=1)
