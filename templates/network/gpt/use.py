GPT(
        dataset.shape[0],
        dataset.outputs,
        config.network.width,
        config.network.depth,
        config.network.heads,
    )
