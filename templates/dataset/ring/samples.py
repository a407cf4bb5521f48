"""Pictures of what the generator makes."""

from pathlib import Path

import numpy as np

from .engine.pictures import create_figure, save


def draw(samples: np.ndarray, real: np.ndarray, path: Path) -> None:
    """Write ``path``: the samples (rows, 2) over real points of the plane (rows, 2)."""
    figure = create_figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.scatter(real[:, 0], real[:, 1], s=12, color="lightgrey", label="real")
    axes.scatter(samples[:, 0], samples[:, 1], s=1, color="tab:blue", label="generated")
    reach = 1.5 * np.abs(real).max()
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axes.legend(loc="upper right", markerscale=3)
    save(figure, path)
