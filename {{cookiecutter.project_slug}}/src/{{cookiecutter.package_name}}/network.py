{%% include "network/" ~ cookiecutter.__network ~ "/network.py" %%}
