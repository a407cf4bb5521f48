Linear(dataset.shape, dataset.outputs)
