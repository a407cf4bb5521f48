{%% include "training/" ~ cookiecutter.__training ~ "/batches.py" %%}
