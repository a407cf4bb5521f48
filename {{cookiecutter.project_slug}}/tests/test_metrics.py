{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include ["dataset/" ~ cookiecutter.__dataset ~ "/test_metrics.py", "task/" ~ cookiecutter.task ~ "/test_metrics.py"] %%}
{%% endfilter %%}
