MLPGAN(
        dataset.shape,
        dataset.limits,
        config.network.latent,
        config.network.width,
        config.network.depth,
    )
