Huber((config.loss.delta or dataset.label_unit) / dataset.label_unit, reduction)
