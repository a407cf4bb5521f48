from pathlib import Path

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def dataset_flags(tmp_path: Path) -> list[str]:
    """Flags of a quick training run on noisy images of three colours, 8 x 8 pixels."""
    rng = np.random.default_rng(0)
    for channel, name in enumerate(("red", "green", "blue")):
        (tmp_path / "colours" / name).mkdir(parents=True)
        pixels = rng.integers(0, 156, (120, 8, 8, 3), np.uint8)
        pixels[..., channel] += 100
        for i, image in enumerate(pixels):
            Image.fromarray(image).save(tmp_path / "colours" / name / f"{i}.png")
    return [f"--dataset.path={tmp_path / 'colours'}", "--dataset.size=8", "--epochs=20"]
