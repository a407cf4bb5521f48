"""Weights on disk."""

import os
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import nn, ops

from .errors import InputError, RunError


def save(network: nn.Cell, path: Path) -> None:
    """Write the network's weights to ``path``; a killed run leaves the old file or the new one.

    The file has a checksum, and may be read by whom the user's other files may be read by.

    Raises:
        RunError: it cannot be written; what was there stays.
    """
    beside = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.unlink(missing_ok=True)  # MindSpore leaves its files without the right to write
        ms.save_checkpoint(network, str(beside), crc_check=True)
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)
        sync(beside)
        beside.replace(path)
        if os.name == "posix":
            sync(path.parent)
    except (OSError, RuntimeError, ValueError) as error:
        beside.unlink(missing_ok=True)
        raise RunError(f"{path} cannot be written: {' '.join(str(error).split())}") from error


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    file = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def check_finite(network: nn.Cell) -> None:
    """Refuse weights that are not numbers, which a loss may hide: on a CPU ReLU makes 0 of NaN.

    Raises:
        RunError: a weight is NaN or infinite; the message names the first.
    """
    for parameter in network.get_parameters():
        values = parameter.asnumpy()
        bad = values.size - int(np.isfinite(values).sum())
        if bad:
            raise RunError(
                f"{bad} of the {values.size} numbers in {parameter.name} are no longer finite: lower "
                f"the learning rate, or look for what the data or an own layer does"
            )


def load(network: nn.Cell, path: Path) -> None:
    """Read the weights in ``path`` into ``network``: all of them, into their own places.

    Raises:
        InputError: no such file, not a checkpoint, a damaged one, or that of another network.
    """
    if not path.is_file():
        raise InputError(f"no checkpoint at {path}")
    try:
        found = ms.load_checkpoint(str(path), crc_check=True)
    except (ValueError, RuntimeError, OSError) as error:
        raise InputError(f"{path} is damaged, or not a checkpoint that MindSpore reads") from error
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
