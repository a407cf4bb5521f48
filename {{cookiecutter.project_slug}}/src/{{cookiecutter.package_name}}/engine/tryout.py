"""One eager pass before anything compiles: what does not fit is said in a line."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from traceback import walk_tb

import mindspore as ms
from mindspore import Tensor, nn

from .errors import InputError
from .finetune import frozen


def try_out(network: nn.Cell, probe: Callable[[], Tensor]) -> None:
    """Call ``probe`` eagerly, with the network in evaluation mode.

    Raises:
        InputError: it fails, or is not one number; the message names the layer, what reached it
            and the line of the project.
    """
    mode = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    network.set_train(False)
    try:
        loss = probe()
        loss.asnumpy()
    except InputError:
        raise
    except Exception as error:
        raise InputError(explain(network, error)) from error
    finally:
        ms.set_context(mode=mode)
    if loss.size != 1:
        raise InputError(
            f"the loss of two rows has shape {tuple(loss.shape)}, and what is minimised is one "
            f"number: reduce it, such as with get_loss of nn.LossBase"
        )


def explain(network: nn.Cell, error: Exception) -> str:
    """Say in one line in which layer a pass failed, on what, and why."""
    names = {id(cell): name for name, cell in network.cells_and_names()}
    place, spot = "what is done around the network", ""
    for frame, line in walk_tb(error.__traceback__):
        file = Path(frame.f_code.co_filename)
        if Path(__file__).parents[1] in file.parents:
            spot = f", {file.name} line {line}"
        cell = frame.f_locals.get("self")
        if not isinstance(cell, nn.Cell):
            continue
        name = names.get(id(cell))
        kind = type(cell).__name__
        place = f"layer {name!r} ({kind})" if name else f"{kind}"
        arrays = [describe(x) for x in frame.f_locals.values() if isinstance(x, Tensor)]
        if arrays := [array for array in arrays if array][:2]:
            place += " with " + ", ".join(arrays)
    reason = next((line.strip() for line in str(error).splitlines() if line.strip()), repr(error))
    return f"a pass over two rows fails in {place}{spot}: {reason}"


def describe(array: Tensor) -> str:
    """Return shape and type; nothing for an array that was never computed."""
    for _ in range(2):  # the first look at any array raises what failed in the background
        with suppress(Exception):
            return f"{tuple(array.shape)} {array.dtype}"
    return ""


def count_parameters(network: nn.Cell, freeze: str | None = None) -> str:
    """Say how many numbers there are, in all and in each layer, and how many of them are frozen.

    Args:
        network: its parameters are counted, but for statistics that a layer takes by itself.
        freeze: as in ``Config``.
    """
    still = {parameter.name for parameter in frozen(network, freeze)}
    sizes: dict[str, list[int]] = {}
    for parameter in network.get_parameters():
        if parameter.requires_grad or parameter.name in still:
            layer = parameter.name.rpartition(".")[0] or parameter.name
            size = sizes.setdefault(layer, [0, 0])
            size[0] += parameter.size
            size[1] += parameter.size * (parameter.name in still)
    layers = ", ".join(f"{layer} {numbers(*size)}" for layer, size in list(sizes.items())[:8])
    more = f" and {len(sizes) - 8} layers more" if len(sizes) > 8 else ""
    whole, part = (sum(size[i] for size in sizes.values()) for i in (0, 1))
    of_them = f", {part:,} frozen" if part else ""
    return f"{type(network).__name__}: {whole:,} parameters{of_them} ({layers}{more})"


def numbers(whole: int, part: int) -> str:
    """Write how many numbers a layer has, and which part of them is frozen."""
    if part == whole:
        return f"{whole:,} frozen"
    return f"{whole:,}" + (f" of which {part:,} frozen" if part else "")
