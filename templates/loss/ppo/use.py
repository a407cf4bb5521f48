PPO(
        config.loss.clip_ratio,
        config.loss.value_coefficient,
        config.loss.entropy_coefficient,
        reduction,
    )
