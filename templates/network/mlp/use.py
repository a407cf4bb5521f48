MLP(dataset.shape, dataset.outputs, config.network.width, config.network.depth)
