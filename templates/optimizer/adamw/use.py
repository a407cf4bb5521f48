AdamW(
        network,
        learning_rate,
        config.optimizer.beta1,
        config.optimizer.beta2,
        config.optimizer.epsilon,
        config.optimizer.weight_decay,
    )
