OneCycle(
        config.optimizer.learning_rate,
        total_steps,
        config.schedule.peak_fraction,
        config.schedule.start_divisor,
        config.schedule.final_divisor,
    )
