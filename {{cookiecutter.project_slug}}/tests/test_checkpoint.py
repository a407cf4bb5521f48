"""Weights to disk and back."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from {{ cookiecutter.package_name }}.engine import checkpoint
from {{ cookiecutter.package_name }}.engine.errors import InputError


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
        with pytest.raises(InputError, match="is not a checkpoint"):
            checkpoint.load(nn.Dense(3, 2), tmp_path / "a.ckpt")
