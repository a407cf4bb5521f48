{%% macro name_of(question, choice) %%}
{%% set expression %%}{%% include question ~ "/" ~ choice ~ "/use.py" %%}{%% endset %%}
{{- expression.split("(")[0] -}}
{%% endmacro %%}
"""The chosen network, loss and optimizer, made from the settings."""

from mindspore import nn

from .config import Config
from .engine.finetune import check_trainable, freeze
{%% if cookiecutter.task == "gan" %%}
from .engine.kept import Kept
{%% endif %%}
{%% if cookiecutter.task != "reinforcement" %%}
from .engine.rows import Dataset{{ ", Form" if cookiecutter.__training == "supervised" }}
{%% endif %%}
from .loss import {{ name_of("loss", cookiecutter.__loss) }}
from .network import {{ name_of("network", cookiecutter.__network) }}
from .optimizer import {{ name_of("optimizer", cookiecutter.optimizer) }}
{%% if cookiecutter.task == "reinforcement" %%}
from .rollout import Dataset
{%% endif %%}
from .schedule import {{ name_of("schedule", cookiecutter.schedule) }}


def create_network(config: Config, dataset: {{ {"supervised": "Form", "gan": "Dataset | Kept"}[cookiecutter.__training] | default("Dataset") }}) -> nn.Cell:
    """Make the network with fresh weights, for rows like those of ``dataset``.

    What ``config.freeze`` names is not among its trainable parameters.
    """
    network = {%% include "network/" ~ cookiecutter.__network ~ "/use.py" %%}
    freeze(network, config.freeze)
    return network


def create_loss(config: Config, dataset: Dataset, reduction: str = "mean") -> nn.LossBase:
    """Make the loss for labels like those of ``dataset``; ``reduction="none"``: one value a row."""
    return {%% include "loss/" ~ cookiecutter.__loss ~ "/use.py" %%}


def create_optimizer(config: Config, network: nn.Cell, total_steps: int) -> nn.Optimizer:
    """Make the optimizer, its learning rate laid out over ``total_steps`` updates."""
    check_trainable(network, config.freeze)
    learning_rate = {%% include "schedule/" ~ cookiecutter.schedule ~ "/use.py" %%}
    return {%% include "optimizer/" ~ cookiecutter.optimizer ~ "/use.py" %%}
