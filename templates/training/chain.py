{%% set policy = cookiecutter.gradient_policy %%}
grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
grad_fn = accumulate(grad_fn, config.accumulation_steps)
{%% if policy != "none" %%}
grad_fn = remember(grad_fn, config.log_every)
grad_fn = {%% filter replace("\n    ", "\n") %%}{%% include "gradient_policy/" ~ policy ~ "/use.py" %%}{%% endfilter %%}
{%% endif %%}
update = update_if_finite(optimizer, config.skip_non_finite)
update = measured(update, optimizer, config.log_every)
