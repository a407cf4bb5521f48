"""Training that begins from the weights of another run, and weights that stay as they are."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from mindspore import Parameter, Tensor, nn, ops

from ..config import Config
from . import checkpoint
from .errors import InputError
from .folder import find_checkpoint, goes_on
from .task import Task


def begin_from(config: Config, task: Task) -> None:
    """Give the network of a new run the weights in ``init_from``, as far as they fit.

    A parameter is taken if the file has one of its name, shape and type. What is not taken, either
    way, is among the task's remarks. A run that goes on from a state has its weights from there.

    Raises:
        InputError: the file cannot be read, or nothing in it fits.
    """
    if config.init_from is None or goes_on(config):
        return
    path = find_checkpoint(config.init_from)
    there = {n: x for n, x in checkpoint.read(path).items() if isinstance(x, Tensor)}
    here = task.network.parameters_dict()
    shared = [name for name in here if name in there]
    taken = [name for name in shared if form(here[name]) == form(there[name])]
    if not taken:
        raise InputError(
            f"nothing in {path} fits: it has {listed(there, there)}, and the network has "
            f"{listed(here, here)}"
        )
    for name in taken:
        ops.assign(here[name], there[name])
    task.found.append(f"weights: {len(taken)} of {len(here)} parameters are those in {path}")
    other = [name for name in shared if name not in taken]
    missing = [name for name in here if name not in there]
    left = sorted(there.keys() - here.keys())
    if missing:
        task.remarks.append(f"fresh, as {path} has none: {listed(missing, here)}")
    if other:
        task.remarks.append(
            f"fresh, as {path} has {listed(other, there)} where the network has "
            f"{listed(other, here)}"
        )
    if left:
        task.remarks.append(f"left in {path}, as the network has none: {listed(left, there)}")


def form(parameter: Tensor) -> str:
    """Write shape and type."""
    return f"{tuple(parameter.shape)} {parameter.dtype}"


def listed(names: Iterable[str], parameters: Mapping[str, Tensor]) -> str:
    """List parameters in a line, the first eight of them."""
    forms = [f"{name} {form(parameters[name])}" for name in names]
    return ", ".join(forms[:8]) + (f" and {len(forms) - 8} more" if len(forms) > 8 else "")


def frozen(network: nn.Cell, patterns: str | None) -> list[Parameter]:
    """List the parameters that are to stay as they are.

    Args:
        network: owns them.
        patterns: their names, where ``*`` stands for any text; commas between; None: none.

    Raises:
        InputError: there is no parameter of such a name.
    """
    parameters = network.parameters_dict()
    found: dict[str, Parameter] = {}
    for pattern in (patterns or "").split(",") if patterns is not None else ():
        names = [name for name in parameters if fnmatchcase(name, pattern.strip())]
        if not names:
            raise InputError(
                f"freeze {pattern.strip()!r} is the name of no parameter: there are "
                f"{', '.join(parameters)}"
            )
        found |= {name: parameters[name] for name in names}
    return list(found.values())


def freeze(network: nn.Cell, patterns: str | None) -> None:
    """Keep parameters out of whatever optimizer is made later; see ``frozen``.

    A batch normalisation whose statistics are among them uses these as they are.

    Raises:
        InputError: there is no parameter of such a name.
    """
    still = {id(parameter) for parameter in frozen(network, patterns)}
    for _, cell in network.cells_and_names():
        for parameter in cell.get_parameters(expand=False):
            if id(parameter) in still:
                parameter.requires_grad = False
                if parameter is getattr(cell, "moving_mean", None):
                    cell.use_batch_statistics = False


def check_trainable(network: nn.Cell, patterns: str | None) -> None:
    """Refuse to train a network of which all is frozen.

    Raises:
        InputError: nothing is left.
    """
    if patterns is not None and not network.trainable_params():
        raise InputError(
            f"freeze {patterns!r} leaves nothing of {type(network).__name__} to train: it has "
            f"{', '.join(network.parameters_dict())}"
        )
