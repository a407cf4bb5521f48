"""Weights to disk and back."""

import os
import sys
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
import safetensors.numpy
from mindspore import Tensor, nn, ops

from {{ cookiecutter.package_name }}.engine import checkpoint
from {{ cookiecutter.package_name }}.engine.errors import InputError, RunError
from {{ cookiecutter.package_name }}.engine.files import states


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


def test_saving_leaves_one_file_of_each_form(tmp_path: Path):
    """Nothing stays beside them, also when they replace others."""
    for _ in range(2):
        checkpoint.save(nn.Dense(3, 2), tmp_path / "a.ckpt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ckpt", "a.safetensors"]


def test_safetensors_are_the_weights_to_the_bit(tmp_path: Path):
    """The package that PyTorch and JAX read with is the oracle; names, shapes and types, too."""
    network = nn.SequentialCell(nn.Dense(3, 2, dtype=ms.float16), nn.Conv2d(1, 2, 3))
    checkpoint.save(network, tmp_path / "a.ckpt")
    found = safetensors.numpy.load_file(tmp_path / "a.safetensors")
    assert found.keys() == network.parameters_dict().keys()
    for parameter in network.get_parameters():
        expected = parameter.asnumpy()
        assert found[parameter.name].dtype == expected.dtype
        assert np.array_equal(found[parameter.name], expected)


def test_safetensors_of_others_are_read(tmp_path: Path):
    """They have no checksum of ours."""
    weights = {"weight": np.array([[1, 2]], np.float32), "bias": np.array([3], np.float32)}
    safetensors.numpy.save_file(weights, tmp_path / "a.safetensors", {"format": "pt"})
    network = nn.Dense(2, 1)
    checkpoint.load(network, tmp_path / "a.safetensors")
    assert network(Tensor([[1, 1]], ms.float32)).asnumpy() == 6


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


def test_safetensors_that_were_changed_are_refused(tmp_path: Path):
    """Every flipped bit and every cut, but where the weights are those that were saved."""
    path, network, other = tmp_path / "a.safetensors", nn.Dense(2, 1), nn.Dense(2, 1)
    checkpoint.save(network, path)
    content = path.read_bytes()
    begin = content.index(b'"bias"')  # what is before it has the checksum
    for place in range(len(content)):
        flipped = bytearray(content)
        flipped[place] ^= 1 << place % 8
        for damaged in (bytes(flipped), content[:place]):
            path.write_bytes(damaged)
            try:
                checkpoint.load(other, path)
            except InputError:
                continue
            assert place < begin or damaged[begin:].rstrip() == content[begin:].rstrip()
            assert np.array_equal(other.weight.asnumpy(), network.weight.asnumpy())


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
    for path in tmp_path.iterdir():
        assert path.stat().st_mode & 0o777 == mode, path


@pytest.mark.parametrize("form", checkpoint.FORMS)
def test_file_is_complete_before_it_replaces_the_old_one(form: str, tmp_path: Path, monkeypatch):
    """Killed at any moment before the renaming, the old file is there to the byte."""
    path = tmp_path / f"a{form}"
    checkpoint.save(nn.Dense(3, 2), path)
    old = path.read_bytes()
    written = []
    monkeypatch.setattr(checkpoint, "FORMS", (form,))

    def replace(self: Path, target: Path) -> None:
        written.append((target.read_bytes(), len(self.read_bytes())))
        raise OSError("killed")

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(RunError, match=f"a{form} cannot be written: killed"):
        checkpoint.save(nn.Dense(3, 2), path)
    assert written == [(old, len(old))]
    assert path.read_bytes() == old
    assert len([*tmp_path.iterdir()]) == 2


@pytest.mark.parametrize("form", checkpoint.FORMS)
def test_disk_that_is_full_is_said(form: str, tmp_path: Path, monkeypatch):
    """One line; nothing is left beside, and what was there stays."""
    path = tmp_path / f"a{form}"
    checkpoint.save(nn.Dense(3, 2), path)
    old = path.read_bytes()

    def full(network, name: str, **options) -> None:
        with open(name, "wb") as file:
            file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "FORMS", (form,))
    monkeypatch.setattr(ms, "save_checkpoint", full)
    monkeypatch.setattr(Path, "write_bytes", lambda self, content: full(content, str(self)))
    with pytest.raises(RunError, match="No space left on device"):
        checkpoint.save(nn.Dense(3, 2), path)
    assert path.read_bytes() == old
    assert len([*tmp_path.iterdir()]) == 2


def test_states_of_a_run_that_kept_more_go(tmp_path: Path):
    """By hand: of three states, then one that keeps two, the newest two are left."""
    network = nn.Dense(3, 2)
    for epoch, keep in enumerate([3, 3, 3, 2]):
        state = checkpoint.State({"epoch": epoch}, {})
        checkpoint.save_state([network], state, tmp_path / "state.ckpt", keep)
    found = states(tmp_path)
    assert [path.name for path in found] == ["state.ckpt", "state.1.ckpt"]
    assert [checkpoint.load_state([network], path).record["epoch"] for path in found] == [3, 2]
    assert len([*tmp_path.iterdir()]) == 2
