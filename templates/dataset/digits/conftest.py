import pytest


@pytest.fixture
def flags() -> list[str]:
    """Flags of a quick training run on the dataset."""
    return ["--epochs=5"]
