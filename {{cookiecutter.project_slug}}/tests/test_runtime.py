"""Device, seed and steps per launch."""

from dataclasses import replace

import pytest

from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import runtime
from {{ cookiecutter.package_name }}.engine.errors import InputError

REASON = """Unsupported device target Ascend. This process only supports one of the ['CPU', 'GPU'].
- Device load error message:
Load dynamic library: libmindspore_ascend.so.2 failed. libge_runner.so: cannot open
Load dynamic library: libmindspore_gpu.so.11 failed. libcuda.so: cannot open
"""


@pytest.mark.parametrize(
    ("setting", "device", "steps_per_epoch", "expected"),
    [
        ("auto", "CPU", 1000, 100),
        ("auto", "CPU", 30, 30),
        ("auto", "Ascend", 1000, 1),
        ("auto", "GPU", 1000, 1),
        (7, "Ascend", 1000, 7),
        (7, "CPU", 3, 3),
    ],
)
def test_steps_per_call(setting: str | int, device: str, steps_per_epoch: int, expected: int):
    """auto loops in the graph on a CPU only; no launch is longer than an epoch."""
    assert runtime.resolve_steps_per_call(setting, device, steps_per_epoch) == expected


def test_launches_are_bounded_by_bytes_and_updates():
    """By hand: 64 MB of 20 MB each are three steps, of 1 GB one; 100 updates are 33 triples."""
    sizes = [
        runtime.resolve_steps_per_call("auto", "CPU", 1000, updates, size)
        for updates, size in ((1, 20_000_000), (1, 2**30), (3, 1))
    ]
    assert sizes == [3, 1, 33]


@pytest.mark.parametrize(("max_steps", "expected"), [(None, 12), (5, 5), (99, 12)])
def test_updates_of_a_run(max_steps: int | None, expected: int):
    """By hand: three epochs of four, unless the run ends before."""
    config = replace(Config(), epochs=3, max_steps=max_steps)
    assert runtime.count_updates(config, 4) == expected


def test_missing_device_is_explained():
    """The devices that are there, and the library that could not be loaded for this one."""
    assert runtime.no_device("Ascend", REASON) == (
        "device 'Ascend' is not there: use one of CPU, GPU "
        "(libge_runner.so: cannot open; source CANN's set_env.sh first)"
    )
    assert runtime.no_device("CPU", "too\nlate") == "device 'CPU' cannot be used: too late"


def test_seed_has_32_bits():
    """MindSpore takes no larger one."""
    with pytest.raises(InputError, match="use at most 4294967295"):
        runtime.start("CPU", "graph", 2**32)
