Huber(config.loss.delta, reduction)
