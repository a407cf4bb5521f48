import numpy as np
import pytest


@pytest.fixture(scope="session")
def dataset_flags(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Flags of a quick training run on three clusters; a cluster's number is its rows' label."""
    rng = np.random.default_rng(0)
    kind = rng.integers(3, size=2000)
    centers = np.array([[2, 0, 0, 1], [0, 2, 0, 1], [0, 0, 2, 1]])
    features = centers[kind] + 0.3 * rng.standard_normal((2000, 4))
    path = tmp_path_factory.mktemp("table") / "clusters.csv"
    table = np.column_stack([features, kind])
    np.savetxt(path, table, "%g", delimiter=",", header="a,b,c,d,kind", comments="")
    return [f"--dataset.path={path}", "--epochs=30"]
