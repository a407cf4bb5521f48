"""Pictures, drawn without any back end of the user's."""

import os
from collections import defaultdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

from .log import curve_of

COLORS = {
    "updates": "lightsteelblue",
    "train": "tab:blue",
    "validation": "tab:orange",
    "test": "tab:green",
}
COLUMNS = 4
"""panels beside each other"""
NO_CURVES = {"step", "epoch", "split", "seconds", "rows_per_second"}
"""what of a record has no panel"""


def create_figure(**options: Any) -> Any:
    """Make a matplotlib figure that only knows how to become a file.

    A back end named by MPLBACKEND, as in a notebook, is not loaded.
    """
    chosen = os.environ.pop("MPLBACKEND", None)
    try:  # here, as it takes half a second to load
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    finally:
        if chosen is not None:
            os.environ["MPLBACKEND"] = chosen
    figure = Figure(**options)
    FigureCanvasAgg(figure)
    return figure


def save(figure: Any, path: Path) -> None:
    """Write a figure to ``path`` as PNG, 120 pixels an inch."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.set_dpi(120)
    figure.canvas.print_png(str(path))


def draw_curves(records: list[dict[str, Any]], path: Path) -> None:
    """Draw every metric over the steps, a panel each, into ``path``."""
    names = sorted(set().union(*records) - NO_CURVES)
    columns = min(len(names), COLUMNS)
    rows = -(-len(names) // columns)
    figure = create_figure(figsize=(5 * columns, 4 * rows), layout="constrained")
    for axes, name in zip_longest(figure.subplots(rows, columns, squeeze=False).flat, names):
        if name is None:
            axes.set_axis_off()
            continue
        curves = defaultdict(list)
        for record in records:
            if record.get(name) is not None:
                curves[curve_of(record)].append((record["step"], record[name]))
        for split, points in curves.items():
            marker = "o" if len(points) == 1 else ""
            axes.plot(*zip(*points), COLORS[split], label=split, marker=marker)
        axes.set(xlabel="step", ylabel=name)
        if curves:
            axes.legend()
    save(figure, path)
