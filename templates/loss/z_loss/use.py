ZLoss(config.loss.coefficient, reduction)
