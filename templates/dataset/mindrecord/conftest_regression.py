

@pytest.fixture
def dataset_flags(tmp_path: Path) -> list[str]:
    """Flags of a quick training run on the sum of three numbers and a little noise."""
    from package.prepare import prepare

    rng = np.random.default_rng(0)
    features = rng.standard_normal((1000, 3))
    label = features.sum(axis=1) + 0.1 * rng.standard_normal(1000)
    table = np.column_stack([features, label])
    path = tmp_path / "sums.csv"
    np.savetxt(path, table, "%.6g", delimiter=",", header="a,b,c,sum", comments="")
    prepare(path, tmp_path / "sums.mindrecord", shards=2)
    return [f"--dataset.path={tmp_path / 'sums.mindrecord'}", "--epochs=10"]
