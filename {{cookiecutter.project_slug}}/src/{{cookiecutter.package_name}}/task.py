{%% include "training/" ~ cookiecutter.__training ~ "/task.py" %%}
