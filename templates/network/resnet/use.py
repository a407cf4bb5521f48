ResNet(
        dataset.shape,
        dataset.outputs,
        config.network.width,
        config.network.stages,
        config.network.blocks,
    )
