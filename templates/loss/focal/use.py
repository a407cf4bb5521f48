Focal(config.loss.gamma, reduction)
