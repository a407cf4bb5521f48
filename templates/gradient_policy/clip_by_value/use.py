clip_by_value(grad_fn, config.gradient_policy.max_value)
