{%% if cookiecutter.gradient_policy != "none" %%}
from .gradients import {{ cookiecutter.gradient_policy }}
{%% endif %%}
