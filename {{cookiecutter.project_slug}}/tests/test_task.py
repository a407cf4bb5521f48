{%% include "training/" ~ cookiecutter.__training ~ "/test_task.py" %%}
