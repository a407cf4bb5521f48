noise(
        grad_fn,
        optimizer.parameters,
        optimizer.global_step,
        config.gradient_policy.eta,
        config.gradient_policy.gamma,
        config.seed,
    )
