import pytest


@pytest.fixture
def dataset_flags() -> list[str]:
    """Flags of a quick training run on the dataset."""
    return ["--epochs=8"]
