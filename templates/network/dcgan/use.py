DCGAN(
        dataset.shape,
        (float(dataset.train.data.min()), float(dataset.train.data.max())),
        config.network.latent,
        config.network.width,
    )
