{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "task/" ~ cookiecutter.task ~ "/test_metrics.py" %%}
{%% endfilter %%}
