from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def dataset_flags(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Flags of a quick training run on a text of nine words in random order."""
    words = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "狐"]
    text = " ".join(np.random.default_rng(0).choice(words, 8000))
    path: Path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text(text, encoding="utf-8")
    flags = ["--epochs=3", "--dataset.length=8", "--dataset.stride=16"]
    return [*flags, f"--dataset.path={path}"]
