{%% macro class_of(group) %%}
{{- group | replace("_", " ") | title | replace(" ", "") }}Config
{%%- endmacro %%}
{%% macro choice_of(question) %%}
{{- cookiecutter["__" ~ question] if "__" ~ question in cookiecutter else cookiecutter[question] }}
{%%- endmacro %%}
{%% set steps = cookiecutter.accumulation_steps | int %%}
{%% set defaults = {"epochs": "30", "batch_size": "32"} %%}
{%% for rule in cookiecutter._defaults %%}
{%% set fits = namespace(all=true) %%}
{%% for question in rule if question != "set" and choice_of(question) not in rule[question] %%}
{%% set fits.all = false %%}
{%% endfor %%}
{%% if fits.all %%}{%% set _ = defaults.update(rule.set) %%}{%% endif %%}
{%% endfor %%}
"""Every setting of a run, with its unit. A YAML file and flags override what stands here.

This module does not import MindSpore, so that ``--help`` answers at once.
"""

from dataclasses import dataclass, field
from typing import Literal

from jsonargparse import typing as number

{%% set groups = namespace(names=[]) %%}
{%% for group in ("network", "loss", "dataset", "optimizer", "schedule", "gradient_policy") %%}
{%% set settings %%}{%% include group ~ "/" ~ choice_of(group) ~ "/config.py" ignore missing %%}{%% endset %%}
{%% if settings %%}
{%% set groups.names = groups.names + [group] %%}

{%% for line in settings.splitlines() %%}
{%% set default = defaults.get(group ~ "." ~ line.strip().split(":")[0]) %%}
{{ line.split(" = ")[0] ~ " = " ~ default if default and line.startswith("    ") and " = " in line else line }}
{%% endfor %%}

{%% endif %%}
{%% endfor %%}

@dataclass
class Config:
    """Settings of a run."""

{%% include "training/" ~ cookiecutter.__training ~ "/config.py" %%}
    accumulation_steps: number.PositiveInt = {{ steps }}
    """micro-batches a batch is split into: more take less memory, the update stays the same"""
    steps_per_call: Literal["auto"] | number.PositiveInt = "auto"
    """steps in one launch of the compiled graph; auto: up to 100 on a CPU, 1 elsewhere"""
    seed: number.NonNegativeInt = 0
{%% if cookiecutter.task == "language_model" %%}
    """of the initial weights{{ ", the gradient noise" if cookiecutter.gradient_policy == "noise" }}, the order of the rows and generate's draws"""
{%% else %%}
{%% set drawn = {"supervised": "", "gan": "latents, the ", "reinforcement": "actions, the "} %%}
    """of the {{ drawn[cookiecutter.__training] }}initial weights{{ ", the gradient noise" if cookiecutter.gradient_policy == "noise" }} and the order of the rows"""
{%% endif %%}
{%% if cookiecutter.task not in ("language_model", "reinforcement") %%}
    split_seed: number.NonNegativeInt = 0
    """of the split into training, validation and test rows, and of data that are drawn"""
{%% endif %%}
    device: Literal["CPU", "Ascend", "GPU"] = "{{ cookiecutter.device }}"
    """where the network runs"""
    execution: Literal["graph", "pynative_jit", "pynative"] = "{{ cookiecutter.execution }}"
    """graph or pynative_jit: compiled steps; pynative: eager all through, for the debugger"""
    run_dir: str | None = None
    """folder of the run; by default runs/<time>"""
{%% for group in groups.names %%}
    {{ group }}: {{ class_of(group) }} = field(default_factory={{ class_of(group) }})
{%% endfor %%}
