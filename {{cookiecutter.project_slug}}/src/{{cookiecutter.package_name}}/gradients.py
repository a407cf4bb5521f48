{%% include "gradient_policy/" ~ cookiecutter.gradient_policy ~ "/gradients.py" %%}
{%% include "gradient_policy/accumulate.py" %%}
