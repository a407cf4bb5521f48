"""Pictures of samples."""

from pathlib import Path

import numpy as np
import pytest

from package.samples import draw, mosaic


def size(path: Path) -> tuple[int, int]:
    """Width and height, as the header of a PNG file has them."""
    header = path.read_bytes()
    assert header.startswith(b"\x89PNG")
    return int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("rows", [3, 200])
def test_images_are_drawn(channels: int, rows: int, tmp_path: Path):
    """Two panels of grey or coloured images, few or many, of any range, also a constant one."""
    samples = np.random.default_rng(0).normal(size=(rows, channels, 8, 8)).astype(np.float32)
    for real in (2 * samples, np.zeros_like(samples)):
        draw(samples, real, tmp_path / "a.png")
        assert size(tmp_path / "a.png") == (1200, 636)


@pytest.mark.parametrize("channels", [1, 3])
def test_mosaic_by_hand(channels: int):
    """By hand: image 12 is the third of the second row, a white line is below and right of it."""
    images = np.zeros((20, channels, 2, 3), np.float32)
    images[12] = np.arange(6).reshape(2, 3) / 8
    picture = mosaic(images)
    assert picture.shape == ((30, 40) if channels == 1 else (30, 40, channels))
    picture = picture.reshape(30, 40, channels)
    for channel in range(channels):
        expected = [[0, 0.125, 0.25, 1], [0.375, 0.5, 0.625, 1], [1, 1, 1, 1]]
        assert picture[3:6, 8:12, channel].tolist() == expected
        assert picture[:, :, channel].sum() == 1.875 + 100 * 12 - 20 * 6
