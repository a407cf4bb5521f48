Constant(config.optimizer.learning_rate)
