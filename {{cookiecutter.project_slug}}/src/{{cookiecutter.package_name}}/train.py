{%% include "training/" ~ cookiecutter.__training ~ "/train.py" %%}
