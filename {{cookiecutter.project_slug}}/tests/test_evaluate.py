{%% include "training/" ~ cookiecutter.__training ~ "/test_evaluate.py" %%}
