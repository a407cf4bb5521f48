{%% include "schedule/" ~ cookiecutter.schedule ~ "/schedule.py" %%}
