{%% include "training/" ~ cookiecutter.__training ~ "/test_train.py" %%}
