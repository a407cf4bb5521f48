Step(
        config.optimizer.learning_rate, total_steps, config.schedule.drops, config.schedule.factor
    )
