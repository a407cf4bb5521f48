{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "loss/" ~ cookiecutter.__loss ~ "/test_loss.py" %%}
{%% endfilter %%}
