clip_by_global_norm(grad_fn, config.gradient_policy.max_norm)
