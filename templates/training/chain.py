scaled_fn = scaler.scaled(forward_fn)
grad_fn = ms.value_and_grad(scaled_fn, None, optimizer.parameters, has_aux=True)
grad_fn = accumulate(grad_fn, config.accumulation_steps)
{%% if cookiecutter.task != "reinforcement" %%}
grad_fn = average_over_ranks(grad_fn, optimizer.parameters)
{%% endif %%}
grad_fn = scaler.unscaled(grad_fn)
{%% if cookiecutter.gradient_policy != "none" %%}
grad_fn = remember(grad_fn, config.log_every)
grad_fn = {%% filter replace("\n    ", "\n") %%}{%% include "gradient_policy/" ~ cookiecutter.gradient_policy ~ "/use.py" %%}{%% endfilter %%}
{%% endif %%}
update = measured(scaler.update(optimizer), optimizer, config.log_every)
