ViT(
        dataset.shape,
        dataset.outputs,
        config.network.patch,
        config.network.width,
        config.network.depth,
        config.network.heads,
    )
