

@pytest.fixture(scope="session")
def dataset_flags(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Flags of a quick training run on spots of three colours, 8 x 8 pixels, each elsewhere."""
    from PIL import Image

    from package.prepare import prepare

    folder = tmp_path_factory.mktemp("colours")
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[:8, :8]
    for channel, name in enumerate(("red", "green", "blue")):
        (folder / "images" / name).mkdir(parents=True)
        for i, (row, column) in enumerate(rng.uniform(2, 5, (120, 2))):
            spot = np.exp(-((rows - row) ** 2 + (columns - column) ** 2) / 4)
            image = np.zeros((8, 8, 3), np.uint8)
            image[..., channel] = 255 * spot
            Image.fromarray(image).save(folder / "images" / name / f"{i}.png")
    prepare(folder / "images", folder / "colours.mindrecord", shards=2)
    return [f"--dataset.path={folder / 'colours.mindrecord'}", "--dataset.size=8"]
