{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "gradient_policy/" ~ cookiecutter.gradient_policy ~ "/test_gradients.py" %%}
{%% include "gradient_policy/test_accumulate.py" %%}
{%% endfilter %%}
