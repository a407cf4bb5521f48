Quantile(config.loss.level, reduction)
