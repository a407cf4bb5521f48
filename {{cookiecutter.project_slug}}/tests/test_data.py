{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/test_data.py" %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/test_" ~ cookiecutter.task ~ ".py" ignore missing %%}
{%% endfilter %%}
