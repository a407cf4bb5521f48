"""Three intertwined spirals in the plane."""

import numpy as np

from .config import Config
from .engine.kept import Kept, Source, divide, fingerprints
from .engine.numbers import read_rows
from .engine.rows import Dataset

ARMS = 3


def load(config: Config, kept: Kept | None = None) -> Dataset:
    r"""Draw ``dataset.rows`` points of the plane, each from one of three arms, its label.

    .. math::
        x = \sqrt{u} (\cos\varphi, \sin\varphi) + \varepsilon, \quad
        \varphi = 2 \pi (turns \sqrt{u} + label / 3)

    ``u`` is uniform in [0, 1), so the arms reach from the centre to radius 1 and are about as dense
    everywhere. The noise has deviation ``dataset.noise``. After the two spirals of K. J. Lang and
    M. J. Witbrock, *Learning to tell two spirals apart*, 1988.
    """
    rng = np.random.default_rng(config.split_seed)
    label = rng.integers(ARMS, size=config.dataset.rows)
    radius = np.sqrt(rng.random(len(label)))
    angle = 2 * np.pi * (config.dataset.turns * radius + label / ARMS)
    data = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    data += config.dataset.noise * rng.standard_normal(data.shape)
    data, label = data.astype(np.float32), label.astype(np.int32)
    source = Source("the spirals", fingerprints(data, label))
    return divide(source, config.split_seed, kept).dataset(data, label, outputs=ARMS)


def read_new(config: Config, kept: Kept, path: str) -> tuple[list[str], np.ndarray]:
    """Read new rows, points of the plane, and what they are called."""
    names, rows = read_rows(path, kept.shape)
    return names, rows.astype(np.float32)
