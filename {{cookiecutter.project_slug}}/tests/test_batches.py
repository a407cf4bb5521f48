{%% include "training/" ~ cookiecutter.__training ~ "/test_batches.py" %%}
