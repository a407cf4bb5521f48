CNN(dataset.shape, dataset.outputs, config.network.width)
