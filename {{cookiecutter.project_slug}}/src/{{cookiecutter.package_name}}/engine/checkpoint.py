"""Weights on disk."""

import os
from pathlib import Path

import mindspore as ms
from mindspore import nn, ops

from .errors import InputError


def save(network: nn.Cell, path: Path) -> None:
    """Write the network's weights to ``path``; a killed run leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.stem}.part{path.suffix}")
    ms.save_checkpoint(network, str(beside))
    with beside.open("rb+") as file:
        os.fsync(file.fileno())
    beside.replace(path)


def load(network: nn.Cell, path: Path) -> None:
    """Read the weights in ``path`` into ``network``: all of them, into their own places.

    Raises:
        InputError: no such file, not a checkpoint, or the checkpoint of another network.
    """
    if not path.is_file():
        raise InputError(f"no checkpoint at {path}")
    try:
        found = ms.load_checkpoint(str(path))
    except ValueError as error:
        raise InputError(f"{path} is not a checkpoint that MindSpore can read") from error
    expected = network.parameters_dict()
    for name, parameter in expected.items():
        if name not in found:
            raise InputError(f"{path} is of another network: it has no {name}")
        if found[name].shape != parameter.shape:
            raise InputError(
                f"{path} is of another network: {name} has shape {found[name].shape} there, "
                f"{parameter.shape} here"
            )
    if extra := sorted(found.keys() - expected.keys()):
        raise InputError(f"{path} is of another network: {extra[0]} has no place in this one")
    # not load_param_into_net: a graph that is compiled already would keep the old weights
    for name, parameter in expected.items():
        ops.assign(parameter, found[name])
