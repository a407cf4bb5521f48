{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "schedule/" ~ cookiecutter.schedule ~ "/test_schedule.py" %%}
{%% endfilter %%}
