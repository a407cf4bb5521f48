"""A line with a little noise."""

import numpy as np

from .config import Config
from .engine.kept import Kept, Source, divide, fingerprints
from .engine.rows import Dataset


def load(config: Config, kept: Kept | None = None) -> Dataset:
    r"""Draw ``dataset.rows`` points of a line.

    .. math:: y = 2 x + 3 + 0.01 \varepsilon

    Both :math:`x` and :math:`\varepsilon` are standard normal. Nothing is scaled, so that a linear
    network must end with weight 2 and bias 3.
    """
    rng = np.random.default_rng(config.split_seed)
    x = rng.standard_normal((config.dataset.rows, 1))
    y = 2 * x + 3 + 0.01 * rng.standard_normal(x.shape)
    data, label = x.astype(np.float32), y.astype(np.float32)
    source = Source("the line", fingerprints(data, label))
    return divide(source, config.split_seed, kept).dataset(data, label, outputs=1)
