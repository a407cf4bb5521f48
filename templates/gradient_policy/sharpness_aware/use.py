sharpness_aware(grad_fn, optimizer.parameters, config.gradient_policy.rho)
