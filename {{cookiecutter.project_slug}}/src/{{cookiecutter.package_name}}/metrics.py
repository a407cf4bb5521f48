{%% include "task/" ~ cookiecutter.task ~ "/metrics.py" %%}
