"""Pictures of samples."""

from pathlib import Path

import numpy as np

from package.samples import draw


def size(path: Path) -> tuple[int, int]:
    """Width and height, as the header of a PNG file has them."""
    header = path.read_bytes()
    assert header.startswith(b"\x89PNG")
    return int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")


def test_points_are_drawn(tmp_path: Path):
    """A square picture; the same points give the same one, others another."""
    rng = np.random.default_rng(0)
    real, samples = rng.normal(size=(2, 50, 2))
    for name, points in (("a", samples), ("b", samples), ("c", real)):
        draw(points, real, tmp_path / f"{name}.png")
    assert size(tmp_path / "a.png") == (600, 600)
    first, again, other = ((tmp_path / f"{name}.png").read_bytes() for name in "abc")
    assert first == again != other
