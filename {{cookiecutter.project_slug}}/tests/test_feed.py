{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "training/" ~ cookiecutter.__training ~ "/test_feed.py" %%}
{%% endfilter %%}
