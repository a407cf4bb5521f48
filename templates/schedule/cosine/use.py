Cosine(
        config.optimizer.learning_rate,
        total_steps,
        config.schedule.warmup_fraction,
        config.schedule.final_fraction,
    )
