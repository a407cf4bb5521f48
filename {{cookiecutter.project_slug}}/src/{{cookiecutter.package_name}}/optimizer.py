{%% include "optimizer/" ~ cookiecutter.optimizer ~ "/optimizer.py" %%}
