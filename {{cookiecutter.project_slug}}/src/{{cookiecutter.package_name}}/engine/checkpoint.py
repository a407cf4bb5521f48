"""Weights, and the whole state of a run, on disk."""

import json
import logging
import os
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import mindspore as ms
import numpy as np
import safetensors.numpy
from mindspore import Parameter, Tensor, nn, ops

from .errors import InputError, RunError
from .files import states, sync
from .ranks import from_rank_0, share_parameters

FORMS = (".ckpt", ".safetensors")
"""how weights are saved: as MindSpore does, and as PyTorch and JAX read them, too"""
HOST = "host"
"""what comes before the name of an array that is no parameter"""
MARK, DIGITS = b"crc_num", 10
"""how MindSpore ends a file with a checksum: this, then the checksum of all before it, in bytes"""


class DamagedError(InputError):
    """A file is not what was once written."""


class State(NamedTuple):
    """All that a run needs to go on to the same bits."""

    record: dict[str, Any]
    """position, best score and so on: what JSON can say"""
    arrays: dict[str, np.ndarray]
    """what else lives on the host"""


def save(network: nn.Cell, path: Path) -> None:
    """Write the network's weights to ``path``, and to a file beside it in each other form.

    A killed run leaves the old file or the new one. The files have a checksum, and may be read by
    whom the user's other files may be read by. Rank 0 writes them, and the other ranks wait.

    Raises:
        RunError: one cannot be written; what was there stays.
    """

    def write_all() -> None:
        for form in FORMS:
            write(entries(network.get_parameters()), path.with_suffix(form))

    from_rank_0(write_all)


def load(network: nn.Cell, path: Path) -> None:
    """Read the weights in ``path``, of any form, into ``network``: each into its own place.

    Rank 0 reads them for all.

    Raises:
        InputError: no such file, not a checkpoint, a damaged one, or that of another network.
    """
    from_rank_0(lambda: put(read(path), network.parameters_dict(), path))
    share_parameters(network.get_parameters())


def save_state(cells: Iterable[nn.Cell], state: State, path: Path, keep: int) -> None:
    """Write the parameters of ``cells``, and what goes with them, to ``path``.

    The ``keep`` - 1 files written before it stay beside, as ``<name>.1.ckpt`` and so on.

    Raises:
        RunError: it cannot be written; what was there stays.
    """
    arrays = [{"name": f"{HOST}.{name}", "data": Tensor(x)} for name, x in state.arrays.items()]
    parameters = entries(parameters_of(cells).values())
    write([*parameters, *arrays], path, {HOST: json.dumps(state.record)}, keep)
    for stale in states(path.parent)[keep:]:  # of a run that kept more
        with suppress(OSError):
            stale.unlink()


def load_state(cells: Iterable[nn.Cell], path: Path) -> State:
    """Read a state that ``save_state`` wrote: the parameters into their own places.

    Raises:
        InputError: no such file, a damaged one, or the state of another project.
    """
    found = read(path)
    if not isinstance(found.get(HOST), str):
        raise InputError(f"{path} holds weights alone: a run goes on from one of its states")
    record = json.loads(found.pop(HOST))
    names = [name for name in found if name.startswith(f"{HOST}.")]
    arrays = {name.removeprefix(f"{HOST}."): found.pop(name).asnumpy() for name in names}
    put(found, parameters_of(cells), path)
    return State(record, arrays)


def parameters_of(cells: Iterable[nn.Cell]) -> dict[str, Parameter]:
    """Collect parameters by name; an optimizer's own come after the weights that it has, too."""
    found: dict[str, Parameter] = {}
    for cell in cells:
        for parameter in cell.get_parameters():
            if found.setdefault(parameter.name, parameter) is not parameter:
                raise ValueError(f"two parameters are called {parameter.name}")
    return found


def entries(parameters: Iterable[Parameter]) -> list[dict[str, Any]]:
    """List parameters as MindSpore saves them."""
    return [{"name": parameter.name, "data": parameter} for parameter in parameters]


def write(
    content: list[dict[str, Any]], path: Path, more: dict[str, Any] | None = None, keep: int = 1
) -> None:
    """Write a checkpoint beside ``path``, wait for the disk, and let it take its place.

    Raises:
        RunError: it cannot be written.
    """
    beside = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.unlink(missing_ok=True)  # MindSpore leaves its files without the right to write
        logging.disable()  # MindSpore says in its own words what is raised
        if path.suffix == ".safetensors":
            beside.write_bytes(to_safetensors(content))
        else:
            ms.save_checkpoint(content, str(beside), append_dict=more, crc_check=True)
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)
        sync(beside)
        for number in range(keep - 1, 0, -1):
            older = numbered(path, number - 1)
            if older.exists():
                older.replace(numbered(path, number))
        beside.replace(path)
        sync(path.parent)
    except (OSError, RuntimeError, ValueError) as error:
        raise RunError(f"{path} cannot be written: {' '.join(str(error).split())}") from error
    finally:
        logging.disable(logging.NOTSET)
        for part in (beside, beside.with_suffix(".tmp")):  # the second is MindSpore's own
            with suppress(OSError):
                part.unlink(missing_ok=True)


def numbered(path: Path, number: int) -> Path:
    """Name the file that was ``path`` so many writings ago."""
    return path.with_name(f"{path.stem}.{number}{path.suffix}") if number else path


def to_safetensors(content: list[dict[str, Any]]) -> bytes:
    """Write parameters as a file of safetensors, whose metadata have a checksum of ours."""
    arrays = {entry["name"]: entry["data"].asnumpy() for entry in content}
    return safetensors.numpy.save(arrays, {"crc32": checksum(arrays)})


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """Read a file of safetensors, with our checksum or, if others wrote it, without one.

    Raises:
        DamagedError: the checksum is wrong.
        SafetensorError: it is no such file.
    """
    with safetensors.safe_open(path, "numpy") as file:
        names = file.keys()
        arrays = {name: file.get_tensor(name) for name in names}
        expected = (file.metadata() or {}).get("crc32")
    if expected not in (None, checksum(arrays)):
        raise DamagedError(f"{path} is damaged")
    return {name: Tensor(x) for name, x in arrays.items()}


def checksum(arrays: dict[str, np.ndarray]) -> str:
    """CRC-32 of arrays, their names, types and shapes, in hexadecimal digits."""
    found = 0
    for name, x in sorted(arrays.items()):
        found = zlib.crc32(x.tobytes(), zlib.crc32(f"{name} {x.dtype} {x.shape}".encode(), found))
    return f"{found:08x}"


def read(path: Path) -> dict[str, Any]:
    """Read a checkpoint that has a checksum, or a file of safetensors.

    Raises:
        InputError: no such file.
        DamagedError: the checksum is missing or wrong.
    """
    if not path.is_file():
        raise InputError(f"no checkpoint at {path}")
    damaged = f"{path} is damaged, or not a checkpoint of such a project"
    try:
        if path.suffix == ".safetensors":
            return read_safetensors(path)
        content = path.read_bytes()
        mark, checksum = content[-DIGITS - len(MARK) : -DIGITS], content[-DIGITS:]
        # MindSpore only warns where the mark is missing, as at the end of half a file
        whole = memoryview(content)[: -DIGITS - len(MARK)]
        if mark != MARK or zlib.crc32(whole) != int.from_bytes(checksum, "big"):
            raise DamagedError(damaged)
        return ms.load_checkpoint(str(path))
    except DamagedError:
        raise
    except (ValueError, RuntimeError, OSError, TypeError, safetensors.SafetensorError) as error:
        raise DamagedError(damaged) from error


def put(found: dict[str, Any], expected: dict[str, Parameter], path: Path) -> None:
    """Put what was found into the parameters of the same names.

    Raises:
        InputError: a name is missing or left over, or a shape or a type is another.
    """
    for name, parameter in expected.items():
        if name not in found:
            raise InputError(f"{path} is of another network: it has no {name}")
        for what in ("shape", "dtype"):
            there, here = getattr(found[name], what), getattr(parameter, what)
            if there != here:
                raise InputError(
                    f"{path} is of another network: {name} has {what} {there} there, {here} here"
                )
    if extra := sorted(found.keys() - expected.keys()):
        raise InputError(f"{path} is of another network: {extra[0]} has no place in this one")
    # not load_param_into_net: a graph that is compiled already would keep the old weights
    for name, parameter in expected.items():
        ops.assign(parameter, found[name])


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
                f"{bad} of the {values.size} numbers in {parameter.name} are no longer finite: "
                "lower the learning rate, or look for what the data or an own layer does"
            )
