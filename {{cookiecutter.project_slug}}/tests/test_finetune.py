"""Training that begins from other weights, and weights that stay as they are."""

from dataclasses import replace
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
import safetensors.numpy
from causes import needs_equal_passes
from mindspore import Tensor, nn

from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine import checkpoint, finetune
from {{ cookiecutter.package_name }}.engine.errors import InputError
from {{ cookiecutter.package_name }}.engine.run import Run
from {{ cookiecutter.package_name }}.engine.tryout import count_parameters
from {{ cookiecutter.package_name }}.task import create_task
from {{ cookiecutter.package_name }}.train import train


def layers(*sizes: int) -> nn.Cell:
    """Dense layers of these sizes."""
    return nn.SequentialCell([nn.Dense(n, m) for n, m in zip(sizes, sizes[1:])])


def weights(run: Path) -> dict[str, np.ndarray]:
    """The last weights of a run."""
    return safetensors.numpy.load_file(run / "checkpoints" / "last.safetensors")


@pytest.mark.parametrize("form", checkpoint.FORMS)
def test_what_fits_is_taken(form: str, config: Config, counting, tmp_path: Path):
    """By hand: of 3-2-4 and 3-2-1-1 the first layer fits; each of the others is in one line."""
    source, network = layers(3, 2, 4), layers(3, 2, 1, 1)
    network[2].bias.name = "2.own"
    checkpoint.save(source, tmp_path / "a.ckpt")
    before = network[1].weight.asnumpy().copy()
    task = counting([], network=network, found=[], remarks=[])
    path = str(tmp_path / f"a{form}")
    finetune.begin_from(replace(config, init_from=path), task)
    for own, other in ((network[0].weight, source[0].weight), (network[0].bias, source[0].bias)):
        assert np.array_equal(own.asnumpy(), other.asnumpy())
    assert np.array_equal(network[1].weight.asnumpy(), before)
    assert task.found == [f"weights: 2 of 6 parameters are those in {path}"]
    assert task.remarks == [
        f"fresh, as {path} has none: 2.weight (1, 1) Float32, 2.own (1,) Float32",
        f"fresh, as {path} has 1.weight (4, 2) Float32, 1.bias (4,) Float32 where the network "
        f"has 1.weight (1, 2) Float32, 1.bias (1,) Float32",
    ]
    task = counting([], network=layers(3, 2), remarks=[])
    finetune.begin_from(replace(config, init_from=path), task)
    assert task.remarks == [
        f"left in {path}, as the network has none: 1.bias (4,) Float32, 1.weight (4, 2) Float32"
    ]


def test_file_of_which_nothing_fits_is_refused(config: Config, counting, tmp_path: Path):
    """With what is there and what is here; so is a file that is not there."""
    checkpoint.save(layers(3, 2), tmp_path / "a.ckpt")
    task = counting([], network=layers(4, 1))
    message = r"fits: it has 0.weight \(2, 3\) Float32, .* the network has 0.weight \(1, 4\)"
    with pytest.raises(InputError, match=message):
        finetune.begin_from(replace(config, init_from=str(tmp_path / "a.ckpt")), task)
    with pytest.raises(InputError, match="no checkpoint at missing"):
        finetune.begin_from(replace(config, init_from="missing"), task)


def test_patterns_name_parameters():
    """By hand; what no pattern names is not frozen, and a pattern without a name is refused."""
    network = layers(3, 2, 1)
    assert finetune.frozen(network, None) == []
    found = finetune.frozen(network, "0.*, 1.bias")
    assert [parameter.name for parameter in found] == ["0.weight", "0.bias", "1.bias"]
    for patterns, bad in (("0.*,body.*", "body.*"), ("", ""), ("0.*,", "")):
        with pytest.raises(InputError) as caught:
            finetune.frozen(network, patterns)
        assert str(caught.value).startswith(f"freeze {bad!r} is the name of no parameter: there")
        assert str(caught.value).endswith("0.weight, 0.bias, 1.weight, 1.bias")


def test_frozen_numbers_are_counted():
    """By hand: 3-2-1 has 6 + 2 and 2 + 1 numbers."""
    network = layers(3, 2, 1)
    assert count_parameters(network) == "SequentialCell: 11 parameters (0 8, 1 3)"
    finetune.freeze(network, "0.*,1.bias")
    expected = "SequentialCell: 11 parameters, 9 frozen (0 8 frozen, 1 3 of which 1 frozen)"
    assert count_parameters(network, "0.*,1.bias") == expected


def test_statistics_that_are_frozen_stay(eager: None):
    """A batch normalisation in training takes no new ones, and normalises by those it has."""
    network = nn.SequentialCell(nn.BatchNorm1d(2), nn.BatchNorm1d(2))
    finetune.freeze(network, "0.*")
    network.set_train(True)
    data = np.array([[1, 2], [3, 8]], np.float32)
    out = network[0](Tensor(data)).asnumpy()
    network[1](Tensor(data))
    assert (network[0].moving_mean.asnumpy() == 0).all()
    assert (network[1].moving_mean.asnumpy() != 0).all()
    np.testing.assert_allclose(out, data / np.sqrt(np.float32(1 + 1e-5)), rtol=1e-6)


def test_nothing_to_train_is_refused(config: Config):
    """All of the network frozen{{ ", or all of either" if cookiecutter.task == "gan" }}: the line has the pattern."""
    for pattern in {{ '("*", "generator.*", "discriminator.*")' if cookiecutter.task == "gan" else '("*",)' }}:
        with pytest.raises(InputError, match=r"freeze '.*\*' leaves nothing of \w+ to train"):
            create_task(replace(config, freeze=pattern))


def test_frozen_weights_stay_also_where_the_run_goes_on(short: Config, tmp_path, monkeypatch):
    """To the bit those that the run began from, without moments; the rest is trained.

    A resumed run does not begin from them again: they need not even be there any more.
    """
    needs_equal_passes(short)
    source = tmp_path / "source.ckpt"
    made = create_task(replace(short, seed=short.seed + 1)).network
    checkpoint.save(made, source)
    given = {name: x.asnumpy() for name, x in made.parameters_dict().items()}
    still, *others = given
    config = replace(short, epochs=2, init_from=str(source), freeze=still, accumulation_steps=2)
    whole = train(replace(config, run_dir=str(tmp_path / "whole")), quiet=True).folder
    expected = weights(whole)
    assert np.array_equal(expected[still], given[still])
    assert not all(np.array_equal(expected[name], given[name]) for name in others)
    state = ms.load_checkpoint(str(whole / "checkpoints" / "state.ckpt"))
    assert [name for name in state if name.endswith(still)] == [still], "it has no moments"
    assert f"freeze: {still}" in (whole / "config.yaml").read_text().splitlines()

    class Killed(Exception):
        """Stands in for a process that ends."""

    def pause(self: Run, seconds: float) -> None:
        if self.judged:
            self.save()
            raise Killed

    monkeypatch.setattr(Run, "pause", pause)
    with pytest.raises(Killed):
        train(config, quiet=True)
    monkeypatch.undo()
    source.unlink()
    resumed = train(replace(config, resume="newest"), quiet=True).folder
    assert all(np.array_equal(x, expected[name]) for name, x in weights(resumed).items())
