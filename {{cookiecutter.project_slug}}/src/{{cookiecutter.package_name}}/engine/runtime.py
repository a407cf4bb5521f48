"""Device, execution mode and seed: what MindSpore must know before anything runs."""

import re
import signal
import sys
import threading
from collections.abc import Callable
from functools import cache

import mindspore as ms

from ..config import Config
from .errors import InputError
from .ranks import world

STEPS_PER_CALL = 100
"""what ``steps_per_call: auto`` means on a CPU, at most; a launch then costs less than its steps"""
BYTES_PER_CALL = 2**26
"""what the arrays of such a launch hold, at most"""


def start(device: str, execution: str, seed: int) -> None:
    """Choose the device and the mode, meet the other ranks, and seed the initial weights.

    Raises:
        InputError: the device is not there, or the seed does not fit into 32 bits.
        RunError: a rank did not come.
    """
    if seed >= 2**32:
        raise InputError(f"seed {seed} is too large: use at most {2**32 - 1}")
    set_device(device)
    keep_ctrl_c()
    ms.set_context(mode=ms.GRAPH_MODE if execution == "graph" else ms.PYNATIVE_MODE)
    world()  # before the seed and the first tensor
    ms.set_seed(seed)


def keep_ctrl_c() -> None:
    """Let Ctrl-C raise KeyboardInterrupt: MindSpore's own handler sends SIGTERM to the process."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


@cache
def set_device(device: str) -> None:
    """Choose the device, once a process: MindSpore cannot change it later.

    Raises:
        InputError: the device is not there.
    """
    try:
        ms.set_device(device)
    except RuntimeError as error:
        raise InputError(no_device(device, str(error))) from error


def no_device(device: str, reason: str) -> str:
    """Turn MindSpore's reason into one line: the devices there are, what could not be loaded."""
    there = re.search(r"one of the \[(.*?)\]", reason)
    if there is None:
        return f"device {device!r} cannot be used: {' '.join(reason.split())}"
    names = there[1].replace("'", "")
    line = f"device {device!r} is not there: use one of {names}"
    if cause := re.search(rf"library: libmindspore_{device.lower()}\S* failed\. (.*)", reason):
        hint = "; source CANN's set_env.sh first" if device == "Ascend" else ""
        line += f" ({cause[1].strip()}{hint})"
    return line


def compiled(function: Callable, execution: str) -> Callable:
    """Compile ``function`` into a graph, or leave it eager for ``execution="pynative"``."""
    return function if execution == "pynative" else ms.jit(function)


def count_updates(config: Config, steps_per_epoch: int) -> int:
    """Count the updates of a run, over which a schedule is laid out."""
    return min(config.epochs * steps_per_epoch, config.max_steps or sys.maxsize)


def resolve_steps_per_call(
    setting: str | int,
    device: str,
    steps_per_epoch: int,
    updates_per_step: int = 1,
    bytes_per_step: int = 1,
) -> int:
    """Turn the setting into a number, a bound: ``auto`` loops in the graph on a CPU only.

    An Ascend card or a GPU works through queued launches by itself, and each turn of a loop in the
    graph would make it wait for the host (not run here: no such device at hand). ``auto`` bounds
    the updates of a launch, of which a step may have several, and the bytes of its arrays.
    """
    if setting != "auto":
        return min(int(setting), steps_per_epoch)
    steps = STEPS_PER_CALL // updates_per_step if device == "CPU" else 1
    return max(1, min(steps, BYTES_PER_CALL // max(1, bytes_per_step), steps_per_epoch))


def check_micro_batches(batch_size: int, accumulation_steps: int) -> None:
    """Refuse micro-batches that would not be equal.

    Raises:
        InputError: ``accumulation_steps``, or that times the ranks, does not divide ``batch_size``.
    """
    ranks = world().size
    parts = accumulation_steps * ranks
    if batch_size % parts:
        times = f" x {ranks} ranks = {parts}" if ranks > 1 else ""
        less = batch_size // parts * parts
        fitting = f"{less} or {less + parts}" if less else f"{parts}"
        raise InputError(
            f"batch_size {batch_size} is not a multiple of accumulation_steps "
            f"{accumulation_steps}{times}: micro-batches must be equal, as with {fitting}"
        )
