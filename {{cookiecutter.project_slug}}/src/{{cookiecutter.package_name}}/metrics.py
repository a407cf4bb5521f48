{%% include ["dataset/" ~ cookiecutter.__dataset ~ "/metrics.py", "task/" ~ cookiecutter.task ~ "/metrics.py"] %%}
