centralize(grad_fn)
