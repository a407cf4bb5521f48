{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
"""Fixtures shared by the tests."""

{%% include "dataset/" ~ cookiecutter.__dataset ~ "/conftest.py" %%}
{%% endfilter %%}
