{%% include "loss/" ~ cookiecutter.__loss ~ "/loss.py" %%}
