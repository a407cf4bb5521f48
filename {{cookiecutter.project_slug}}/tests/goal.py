{%% set dataset, task = "dataset/" ~ cookiecutter.__dataset, "task/" ~ cookiecutter.task %%}
{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include [dataset ~ "/goal_" ~ cookiecutter.__network ~ ".py", dataset ~ "/goal.py", task ~ "/goal.py"] %%}
{%% endfilter %%}
