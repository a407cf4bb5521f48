{%% include "training/" ~ cookiecutter.__training ~ "/train_step.py" %%}
