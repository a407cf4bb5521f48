{%% include "training/" ~ cookiecutter.__training ~ "/test_laws.py" %%}
