{%% macro class_of(group) %%}
{{- group | replace("_", " ") | title | replace(" ", "") }}Config
{%%- endmacro %%}
"""Every setting of a run, with its unit. A YAML file and flags override what stands here.

This module does not import MindSpore, so that ``--help`` answers at once.
"""

from dataclasses import dataclass, field
from typing import Literal

from jsonargparse import typing as number

{%% set groups = namespace(names=[]) %%}
{%% for group in ("network", "loss", "dataset", "optimizer", "schedule", "gradient_policy") %%}
{%% set choice = cookiecutter["__" ~ group] if "__" ~ group in cookiecutter else cookiecutter[group] %%}
{%% set settings %%}{%% include group ~ "/" ~ choice ~ "/config.py" ignore missing %%}{%% endset %%}
{%% if settings %%}
{%% set groups.names = groups.names + [group] %%}

{{ settings }}
{%% endif %%}
{%% endfor %%}

@dataclass
class Config:
    """Settings of a run."""

    epochs: number.PositiveInt = {{ 60 if cookiecutter.task == "regression" else 30 }}
    """passes over the training rows"""
    batch_size: number.PositiveInt = {{ (31 + cookiecutter.accumulation_steps | int) // (cookiecutter.accumulation_steps | int) * (cookiecutter.accumulation_steps | int) }}
    """rows that one update of the weights sees; those left over at an epoch's end are not used"""
    train_rows: number.PositiveInt | None = None
    """use only so many of the training rows; a single batch of them should be overfitted"""
    accumulation_steps: number.PositiveInt = {{ cookiecutter.accumulation_steps }}
    """micro-batches a batch is split into: more take less memory, the update stays the same"""
    steps_per_call: Literal["auto"] | number.PositiveInt = "auto"
    """steps in one launch of the compiled graph; auto: up to 100 on a CPU, 1 elsewhere"""
    seed: number.NonNegativeInt = 0
    """of the split, the initial weights{{ ", the gradient noise" if cookiecutter.gradient_policy == "noise" }} and the order of the rows"""
    device: Literal["CPU", "Ascend", "GPU"] = "{{ cookiecutter.device }}"
    """where the network runs"""
    execution: Literal["graph", "pynative_jit", "pynative"] = "{{ cookiecutter.execution }}"
    """graph or pynative_jit: compiled steps; pynative: eager all through, for the debugger"""
    run_dir: str | None = None
    """folder of the run; by default runs/<time>"""
{%% for group in groups.names %%}
    {{ group }}: {{ class_of(group) }} = field(default_factory={{ class_of(group) }})
{%% endfor %%}
