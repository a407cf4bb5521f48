{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "optimizer/" ~ cookiecutter.optimizer ~ "/test_optimizer.py" %%}
{%% endfilter %%}
