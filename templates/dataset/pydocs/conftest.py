import pytest


@pytest.fixture(scope="session")
def dataset_flags() -> list[str]:
    """Flags of a quick training run on the dataset."""
    return ["--epochs=3", "--dataset.length=16", "--dataset.stride=128"]
