LabelSmoothing(config.loss.smoothing, reduction)
