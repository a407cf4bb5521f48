WassersteinGP(config.loss.weight, reduction)
