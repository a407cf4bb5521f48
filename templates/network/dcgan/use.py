DCGAN(
        dataset.shape,
        dataset.limits,
        config.network.latent,
        config.network.width,
    )
