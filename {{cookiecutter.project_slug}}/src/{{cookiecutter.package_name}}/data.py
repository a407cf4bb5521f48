{%% include "dataset/" ~ cookiecutter.__dataset ~ "/data.py" %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/" ~ cookiecutter.task ~ ".py" ignore missing %%}
