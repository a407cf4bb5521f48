adaptive_clip(
        grad_fn,
        network,
        optimizer.parameters,
        config.gradient_policy.clipping,
        config.gradient_policy.eps,
        config.gradient_policy.skip,
    )
