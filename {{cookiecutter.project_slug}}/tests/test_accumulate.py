{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "gradient_policy/test_accumulate.py" %%}
{%% endfilter %%}
