{%% macro class_of(group) %%}
{{- group | replace("_", " ") | title | replace(" ", "") }}Config
{%%- endmacro %%}
{%% from "defaults.jinja" import choices, defaults with context %%}
{%% set steps = cookiecutter.accumulation_steps | int %%}
{%% set groups = namespace(names=[]) %%}
{%% set body %%}
{%% for group in ("network", "loss", "dataset", "optimizer", "schedule", "gradient_policy", "tracker") %%}
{%% set settings %%}{%% include group ~ "/" ~ choices[group] ~ "/config.py" ignore missing %%}{%% endset %%}
{%% if settings %%}
{%% set groups.names = groups.names + [group] %%}
{{ settings }}

{%% endif %%}
{%% endfor %%}
@dataclass(config=STRICT)
class Config:
    """Settings of a run."""

{%% include "training/" ~ cookiecutter.__training ~ "/config.py" %%}
    max_steps: PositiveInt | None = None
    """updates after which the run ends, though epochs may be left"""
{%% if cookiecutter.task == "reinforcement" %%}
    validate_every: PositiveInt | None = {{ defaults.validate_every }}
    """updates between two validations, each of one greedy episode in every environment"""
{%% else %%}
    validate_every: PositiveInt | None = None
    """updates between two validations; by default there is one at each epoch's end"""
    validation_rows: PositiveInt | None = None
    """use only so many of the validation rows"""
{%% endif %%}
    patience: PositiveInt | None = None
    """validations in a row without a better score after which the run ends"""
    log_every: NonNegativeInt = 50
    """updates between two lines of their loss, gradient and rate in metrics.jsonl; 0: none"""
    accumulation_steps: PositiveInt = {{ steps }}
    """micro-batches a batch is split into: more take less memory, the update stays the same"""
    skip_non_finite: bool = False
    """skip an update whose loss or gradient is not finite, and count it; float16 always does"""
    max_bad_steps: PositiveInt = 10
    """steps in a row without an update after which the run ends"""
    steps_per_call: Literal["auto"] | PositiveInt = "auto"
    """steps in one launch of the compiled graph; auto: about a second's on a CPU, 1 elsewhere"""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
{%% set noise = ", the gradient noise" if cookiecutter.gradient_policy == "noise" else "" %%}
{%% if cookiecutter.task == "language_model" %%}
    """draws the initial weights{{ noise }}, the rows' order and the bytes of generate"""
{%% elif cookiecutter.task == "gan" %%}
    """draws the initial weights{{ noise }}, the latents and the order of the rows"""
{%% elif cookiecutter.task == "reinforcement" %%}
    """draws the initial weights{{ noise }}, the actions and the order of the steps"""
{%% else %%}
    """draws the initial weights{{ noise }} and the order of the rows"""
{%% endif %%}
{%% if cookiecutter.task not in ("language_model", "reinforcement") %%}
    split_seed: NonNegativeInt = 0
    """draws the split, and data made on the fly: runs of other seeds share one test set"""
{%% endif %%}
    device: Literal["CPU", "Ascend", "GPU"] = "{{ cookiecutter.device }}"
    """where the network runs"""
    precision: Literal["float32", "float16", "bfloat16"] = "{{ cookiecutter.precision }}"
    """what the network computes in; weights, losses and metrics are always float32"""
    execution: Literal["graph", "pynative_jit", "pynative"] = "{{ cookiecutter.execution }}"
    """graph or pynative_jit: compiled steps; pynative: eager all through, for the debugger"""
    run_dir: str | None = None
    """folder of the run; by default runs/<time>"""
    resume: str | None = None
    """newest: go on with the run in run_dir, by default the newest; auto: begin one if there is
    none; or the state of a run, a file"""
    init_from: str | None = None
    """begin with the weights of a run, or of a .ckpt or .safetensors file, where they fit"""
    freeze: str | None = None
    """leave these parameters as they are, as "hidden.*,head.bias", and train the rest"""
    save_every: PositiveFloat = 10.0
    """minutes between two states that are saved within an epoch; one more is saved after each"""
    save_every_updates: PositiveInt | None = None
    """updates between two such states, too"""
    keep_states: Annotated[int, Field(ge=1, le=100)] = 2
    """newest states that are kept"""
{%% for group in groups.names %%}
{%% set given = namespace(items=[]) %%}
{%% for name in defaults if name.startswith(group ~ ".") %%}
{%% set given.items = given.items + [name.split(".")[1] ~ "=" ~ defaults[name]] %%}
{%% endfor %%}
{%% set made = class_of(group) ~ "(" ~ given.items | join(", ") ~ ")" %%}
{%% set line = "    " ~ group ~ ": " ~ class_of(group) ~ " = field(default_factory=lambda: " ~ made ~ ")" %%}
{%% if given.items and line | length <= 100 %%}
{{ line }}
{%% elif given.items %%}
    {{ group }}: {{ class_of(group) }} = field(
        default_factory=lambda: {{ made }}
    )
{%% else %%}
    {{ group }}: {{ class_of(group) }} = field(default_factory={{ class_of(group) }})
{%% endif %%}
{%% endfor %%}
{%% if cookiecutter.task == "language_model" %%}


@dataclass(config=STRICT)
class GenerateConfig:
    """Settings of ``generate``, beside those of the run that it continues a text with."""

    prompt: str = ""
    """how the text begins"""
    bytes: PositiveInt = 400
    """bytes to add"""
    temperature: NonNegativeFloat = 0.8
    """below 1: likely bytes become likelier; 0: always the likeliest"""
    top_k: PositiveInt = 256
    """draw from so many likeliest bytes"""
{%% endif %%}
{%% endset %%}
"""Every setting of a run, with its unit. A YAML file and flags override what stands here.

The values given in ``Config`` to a group stand over the defaults in the group's own class. This
module does not import MindSpore, so that ``--help`` answers at once.
"""

from collections.abc import Iterable, Mapping
{%% if "field(" in body %%}
from dataclasses import field
{%% endif %%}
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field{%% for name in ("NonNegativeFloat", "NonNegativeInt", "PositiveFloat", "PositiveInt") if name in body %%}, {{ name }}{%% endfor %%}

from pydantic.dataclasses import dataclass

from .engine import settings
from .engine.settings import STRICT


{{ body }}

def read(
    files: Iterable[str | Path] = (),
    overrides: Mapping[str, Any] | Iterable[str | tuple[str, Any]] = (),
) -> Config:
    """Read the settings of a run: the defaults, over them YAML files, over them overrides.

    The command line, a notebook, the tests and whatever goes on with a run all come through here:
    ``read(["my.yaml"], {"epochs": 3})`` or ``read(overrides=["optimizer.learning_rate=1e-3"])``.

    Raises:
        InputError: a file that cannot be read, an unknown setting or a value that it does not take.
    """
    return settings.read(Config, files, overrides)
