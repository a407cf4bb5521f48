"""scikit-learn's handwritten digits."""

import numpy as np

from .config import Config
from .engine.kept import Kept, Source, divide, fingerprints
from .engine.numbers import read_rows
from .engine.rows import Dataset


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Return 1 797 grey images of 8 x 8 pixels, written by 13 people, with the digit each shows.

    The data is (rows, 1, 8, 8), ink from -1 for a blank pixel to 1 for a full one; the label
    counts 0 to 9. The images come with scikit-learn and are the test part of
    E. Alpaydin and C. Kaynak, *Optical recognition of handwritten digits*, UCI, 1998.
    """
    from sklearn.datasets import load_digits  # here, as it takes a second to load

    images, digits = load_digits(return_X_y=True)  # 64 pixels a row, each 0 to 16
    data = (images / 8 - 1).astype(np.float32).reshape(-1, 1, 8, 8)
    label = digits.astype(np.int32)
    source = Source("scikit-learn's digits", fingerprints(data, label))
    return divide(source, config.split_seed, kept).dataset(data, label, outputs=10)


def read_new(config: Config, kept: Kept, path: str) -> tuple[list[str], np.ndarray]:
    """Read new images of 64 pixels, each 0 to 16, and what they are called."""
    names, images = read_rows(path, kept.shape)
    return names, (images / 8 - 1).astype(np.float32)
