{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "network/" ~ cookiecutter.__network ~ "/test_network.py" %%}
{%% endfilter %%}
