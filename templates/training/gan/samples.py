"""Pictures of what the generator makes."""

from pathlib import Path

import numpy as np

from .engine.pictures import create_figure, save

SIDE = 10
"""images in a row and in a column of the picture"""


def draw(samples: np.ndarray, real: np.ndarray, path: Path) -> None:
    """Write ``path``: samples (rows, channels, height, width) and, to compare, real images."""
    figure = create_figure(figsize=(10, 5.3), layout="constrained")
    low, high = (f(real, axis=(0, 2, 3), keepdims=True) for f in (np.min, np.max))
    for axes, title, images in zip(figure.subplots(1, 2), ("generated", "real"), (samples, real)):
        shades = (np.clip(images, low, high) - low) / np.where(high > low, high - low, 1)
        axes.imshow(mosaic(shades), cmap="gray", vmin=0, vmax=1)
        axes.set_title(title)
        axes.set_axis_off()
    save(figure, path)


def mosaic(images: np.ndarray) -> np.ndarray:
    """Lay (rows, channels, height, width) out as SIDE x SIDE images, with white lines between them.

    The result is (height, width) for one channel and (height, width, channels) for more.
    """
    _, channels, height, width = images.shape
    tiles = np.ones((SIDE * SIDE, channels, height + 1, width + 1), images.dtype)
    chosen = images[: SIDE * SIDE]
    tiles[: len(chosen), :, :height, :width] = chosen
    grid = tiles.reshape(SIDE, SIDE, channels, height + 1, width + 1).transpose(0, 3, 1, 4, 2)
    return grid.reshape(SIDE * (height + 1), SIDE * (width + 1), channels).squeeze()
