clip_by_norm(grad_fn, config.gradient_policy.max_norm)
