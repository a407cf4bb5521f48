"""Weights to disk and back."""

import os
import sys
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from {{ cookiecutter.package_name }}.engine import checkpoint
from {{ cookiecutter.package_name }}.engine.errors import InputError, RunError


def test_weights_come_back_to_the_bit(tmp_path: Path):
    """A second network has exactly the weights of the first."""
    first, second = nn.Dense(3, 2), nn.Dense(3, 2)
    checkpoint.save(first, tmp_path / "new" / "a.ckpt")
    checkpoint.load(second, tmp_path / "new" / "a.ckpt")
    assert np.array_equal(first.weight.asnumpy(), second.weight.asnumpy())
    assert np.array_equal(first.bias.asnumpy(), second.bias.asnumpy())


def test_compiled_network_takes_the_weights(tmp_path: Path):
    """A graph compiled before loading computes with the loaded weights."""
    network = nn.Dense(3, 2)

    @ms.jit
    def forward(data):
        return network(data)

    data = Tensor(np.ones((1, 3), np.float32))
    expected = forward(data).asnumpy()
    checkpoint.save(network, tmp_path / "a.ckpt")
    for parameter in network.trainable_params():
        ops.assign(parameter, parameter + 1)
    assert not np.array_equal(forward(data).asnumpy(), expected)
    checkpoint.load(network, tmp_path / "a.ckpt")
    assert np.array_equal(forward(data).asnumpy(), expected)


def test_saving_leaves_one_file(tmp_path: Path):
    """Nothing stays beside the checkpoint, also when it replaces another."""
    for _ in range(2):
        checkpoint.save(nn.Dense(3, 2), tmp_path / "a.ckpt")
    assert [path.name for path in tmp_path.iterdir()] == ["a.ckpt"]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (nn.Dense(4, 2), r"weight has shape \(2, 3\) there, \(2, 4\) here"),
        (nn.SequentialCell(nn.Dense(3, 2)), "it has no 0.weight"),
        (nn.Dense(3, 2, has_bias=False), "bias has no place"),
        (nn.Dense(3, 2, dtype=ms.float16), "weight has dtype Float32 there, Float16 here"),
    ],
)
def test_checkpoint_of_another_network_is_refused(tmp_path: Path, other: nn.Cell, message: str):
    """The message names the first weight that does not fit."""
    checkpoint.save(nn.Dense(3, 2), tmp_path / "a.ckpt")
    with pytest.raises(InputError, match=message):
        checkpoint.load(other, tmp_path / "a.ckpt")


def test_file_that_is_no_checkpoint_is_refused(tmp_path: Path):
    """Missing, empty, and something else."""
    with pytest.raises(InputError, match="no checkpoint at"):
        checkpoint.load(nn.Dense(3, 2), tmp_path / "missing.ckpt")
    for content in (b"", b"something else"):
        (tmp_path / "a.ckpt").write_bytes(content)
        with pytest.raises(InputError, match="is damaged, or not a checkpoint"):
            checkpoint.load(nn.Dense(3, 2), tmp_path / "a.ckpt")


def test_every_flipped_bit_and_every_cut_is_refused(tmp_path: Path, capfd):
    """In numbers, names, shapes, the checksum; MindSpore alone would read many without a word."""
    path = tmp_path / "a.ckpt"
    network = nn.Dense(3, 2)
    state = checkpoint.State({"epoch": 3}, {"losses": np.ones(2, np.float32)})
    checkpoint.save_state([network], state, path, 1)
    content = path.read_bytes()
    for place in range(len(content)):
        flipped = bytearray(content)
        flipped[place] ^= 1 << place % 8
        for damaged in (flipped, content[:place]):
            path.write_bytes(damaged)
            with pytest.raises(checkpoint.DamagedError, match="is damaged"):
                checkpoint.load_state([network], path)
    output = capfd.readouterr()
    assert output.out == output.err == ""
    path.write_bytes(content)
    assert checkpoint.load_state([network], path).record == state.record


@pytest.mark.skipif(sys.platform == "win32", reason="no umask there")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
def test_file_is_as_readable_as_any_other(tmp_path: Path, mask: int, mode: int):
    """By hand: 666 without the umask's bits; MindSpore alone leaves 400. It stays the user's."""
    before = os.umask(mask)
    try:
        for _ in range(2):
            checkpoint.save(nn.Dense(3, 2), tmp_path / "a.ckpt")
    finally:
        os.umask(before)
    assert (tmp_path / "a.ckpt").stat().st_mode & 0o777 == mode


def test_file_is_complete_before_it_replaces_the_old_one(tmp_path: Path, monkeypatch):
    """Killed at any moment before the renaming, the old file is there to the byte."""
    path = tmp_path / "a.ckpt"
    checkpoint.save(nn.Dense(3, 2), path)
    old = path.read_bytes()
    written = []

    def replace(self: Path, target: Path) -> None:
        written.append((target.read_bytes(), len(self.read_bytes())))
        raise OSError("killed")

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(RunError, match="a.ckpt cannot be written: killed"):
        checkpoint.save(nn.Dense(3, 2), path)
    assert written == [(old, len(old))]
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["a.ckpt"]


def test_disk_that_is_full_is_said(tmp_path: Path, monkeypatch):
    """One line; nothing is left beside, and what was there stays."""
    path = tmp_path / "a.ckpt"
    checkpoint.save(nn.Dense(3, 2), path)
    old = path.read_bytes()

    def full(network, name: str, **options) -> None:
        Path(name).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ms, "save_checkpoint", full)
    with pytest.raises(RunError, match="No space left on device"):
        checkpoint.save(nn.Dense(3, 2), path)
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["a.ckpt"]
