{%% include "training/" ~ cookiecutter.__training ~ "/test_train_step.py" %%}
