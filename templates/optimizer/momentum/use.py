Momentum(
        network.trainable_params(),
        learning_rate,
        config.optimizer.momentum,
        config.optimizer.nesterov,
    )
