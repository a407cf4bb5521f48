

@pytest.fixture(scope="session")
def dataset_flags(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Flags of a quick training run on the sum of three numbers and a little noise."""
    from package.prepare import prepare

    folder = tmp_path_factory.mktemp("sums")
    rng = np.random.default_rng(0)
    features = rng.standard_normal((1000, 3))
    label = features.sum(axis=1) + 0.1 * rng.standard_normal(1000)
    table = np.column_stack([features, label])
    np.savetxt(folder / "a.csv", table, "%.6g", delimiter=",", header="a,b,c,sum", comments="")
    prepare(folder / "a.csv", folder / "sums.mindrecord", shards=2)
    return [f"--dataset.path={folder / 'sums.mindrecord'}", "--epochs=40"]
