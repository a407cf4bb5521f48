centralize(grad_fn, network, optimizer.parameters)
