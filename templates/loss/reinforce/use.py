Reinforce(config.loss.value_coefficient, config.loss.entropy_coefficient, reduction)
