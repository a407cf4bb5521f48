{%% include "training/" ~ cookiecutter.__training ~ "/evaluate.py" %%}
