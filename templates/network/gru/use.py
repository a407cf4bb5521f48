GRU(dataset.outputs, config.network.embedding, config.network.width)
