import pytest


@pytest.fixture(scope="session")
def dataset_flags() -> list[str]:
    """Flags of a quick training run on the dataset."""
    size = ["--epochs=30", "--batch_size=480", "--dataset.rollout_steps=32"]
    return [*size, "--validate_every=400", "--evaluation_episodes=32"]
