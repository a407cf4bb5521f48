"""Text from a network, against networks and laws that are known."""

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from package import build, generate, train
from package.__main__ import main
from package.config import Config
from package.engine import checkpoint
from package.engine.rows import Dataset
from package.generate import context_start, draw
from package.text import split_text

LENGTH = 8


class Counter(nn.Cell):
    """A network that says how many bytes it has read and what they add up to."""

    def start(self) -> Tensor:
        return ops.zeros(2, ms.int32)

    def step(self, token: Tensor, position: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        state = state + ops.concat((position * 0 + 1, token[0]))
        return ops.concat((state, position)), state


@pytest.fixture
def network(config: Config) -> nn.Cell:
    """An untrained network for rows of 8 bytes, its logits far apart."""
    ms.set_seed(0)
    network = build.create_network(config, text_of(b"x" * 100))
    ops.assign(network.head.weight, 50 * network.head.weight)
    return network.set_train(False)


def text_of(text: bytes) -> Dataset:
    return split_text(text, LENGTH, 1)


def test_context_by_hand():
    """By hand: rows of 8 are full at 8 bytes; the ninth leaves 5, the next jump is at 13."""
    starts = [context_start(size, 8) for size in range(1, 18)]
    assert starts == [0] * 8 + [4] * 4 + [8] * 4 + [12]
    assert [context_start(size, 1) for size in range(1, 4)] == [0, 1, 2]
    assert [context_start(size, 3) for size in range(1, 7)] == [0, 0, 0, 1, 2, 3]


@pytest.mark.parametrize("execution", ["graph", "pynative"])
def test_every_byte_of_the_context_is_read_once(execution: str):
    """By hand: number, sum and last position of the bytes since ``context_start``."""
    predict = generate.Predictor(Counter(), LENGTH, execution)
    text = bytes(range(1, 40))
    for size in (1, 2, 3, 8, 9, 10, 20, 39):
        seen = text[context_start(size, LENGTH) : size]
        assert predict(text[:size]).tolist() == [len(seen), sum(seen), len(seen) - 1]


def test_cached_logits_are_those_of_the_whole_row(network: nn.Cell):
    """Oracle: the network on the whole context at once, also past the end of a row."""
    predict = generate.Predictor(network, LENGTH, "graph")
    text = np.random.default_rng(0).integers(256, size=30).astype(np.int32)
    for size in (1, 2, 7, 8, 9, 12, 13, 30):
        context = text[context_start(size, LENGTH) : size]
        row = np.zeros((1, LENGTH), np.int32)
        row[0, : len(context)] = context
        expected = network(Tensor(row)).asnumpy()[0, len(context) - 1]
        found = predict(bytes(text[:size].tolist()))
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3)


def test_it_continues_what_it_has_learned(config: Config):
    """By hand: after training on abcabcabc... the likeliest is abc again, past the end of a row."""
    dataset = text_of(b"abc" * 20)
    network = build.create_network(config, dataset)
    loss_fn = build.create_loss(config, dataset)
    weights = network.trainable_params()

    def forward_fn(data, label):
        return loss_fn(network(data), label)

    grad_fn = ms.value_and_grad(forward_fn, None, weights)

    @ms.jit
    def descend(steps, data, label):
        while steps > 0:
            for w, slope in zip(weights, grad_fn(data, label)[1]):
                ops.assign(w, w - 0.3 * slope)
            steps = steps - 1
        return steps

    descend(Tensor(200, ms.int32), *map(Tensor, dataset.train.read(np.arange(3)))).asnumpy()
    network.set_train(False)
    predict = generate.Predictor(network, LENGTH, "graph")
    text = bytearray(b"bc")
    for _ in range(3 * LENGTH):
        text.append(generate.draw(predict(text), 0.0, 256, np.random.default_rng(0)))
    assert text == b"bc" + b"abc" * LENGTH


def test_step_compiles_once(network: nn.Cell):
    """Oracle: MindSpore's own list of compiled graphs."""
    from mindspore.graph.api import ms_compile_cache

    before = len(ms_compile_cache)
    predict = generate.Predictor(network, LENGTH, "graph")
    for size in (1, 8, 9, 30):
        predict(b"x" * size)
    assert len(ms_compile_cache) == before + 1


def test_draws_have_the_probabilities_of_the_softmax():
    """Oracle: 1/2, 3/8, 1/8 at temperature 1, their squares at 1/2; 5000 draws tell 0.02."""
    logits = np.log(np.array([4, 1, 3], np.float32))
    rng = np.random.default_rng(0)
    for temperature, weights in ((1.0, [4, 1, 3]), (0.5, [16, 1, 9]), (2.0, [2, 1, 3**0.5])):
        draws = [draw(logits, temperature, 256, rng) for _ in range(5000)]
        expected = np.array(weights) / sum(weights)
        np.testing.assert_allclose(np.bincount(draws) / 5000, expected, atol=0.03)


def test_top_k_leaves_the_likeliest():
    """By hand: of 4, 1, 3 the likeliest two are drawn 4 to 3; of equals the first is kept."""
    rng = np.random.default_rng(0)
    logits = np.log(np.array([4, 1, 3], np.float32))
    draws = [draw(logits, 1.0, 2, rng) for _ in range(5000)]
    np.testing.assert_allclose(np.bincount(draws) / 5000, [4 / 7, 0, 3 / 7], atol=0.03)
    assert {draw(np.zeros(5, np.float32), 1.0, 1, rng) for _ in range(20)} == {0}


def test_temperature_zero_takes_the_likeliest():
    """By hand: the largest logit, the first of two; hardly any temperature does the same."""
    rng = np.random.default_rng(0)
    assert draw(np.array([1, 3, 3, 2], np.float32), 0.0, 256, rng) == 1
    assert {draw(np.array([1, 3, 2], np.float32), 1e-9, 256, rng) for _ in range(20)} == {1}


def test_huge_logits():
    """By hand: e^1e4 is infinite, and a thousand below it is nothing."""
    logits = np.array([9e3, 1e4, -1e4], np.float32)
    assert draw(logits, 1.0, 256, np.random.default_rng(0)) == 1


@pytest.fixture
def run(config: Config, tmp_path: Path, monkeypatch) -> Path:
    """A run whose best weights are untrained."""
    monkeypatch.chdir(tmp_path)
    config.run_dir, config.execution = str(tmp_path / "runs" / "untrained"), "pynative"
    task = train.create_task(config)
    run = train.Run(config, task)
    checkpoint.save(task.network, run.best)
    return run.folder


def test_command(run: Path, capsysbinary):
    """The prompt comes first, the newest run is the default, the seed decides, others differ."""
    texts = []
    for seed in (1, 2):
        main(["generate", "--prompt=你好", "--bytes=10", f"--seed={seed}"])
        texts.append(capsysbinary.readouterr().out)
    assert texts[0] != texts[1]
    assert all(text.startswith("你好".encode()) and text.endswith(b"\n") for text in texts)
    flags = ["--prompt=你好", "--bytes=10", "--seed=1", "--execution=graph"]
    main(["generate", f"--checkpoint={run}", *flags])
    assert capsysbinary.readouterr().out == texts[0]


def test_empty_prompt(run: Path, config: Config, capsysbinary):
    """By hand: five bytes of nothing but what the network says after a line's end."""
    found = generate.generate(config, run / "checkpoints" / "best.ckpt", "", 5, 0.0, 256)
    after = generate.generate(config, run / "checkpoints" / "best.ckpt", "\n", 5, 0.0, 256)
    assert len(found) == 5
    assert after == b"\n" + found


def test_bytes_that_are_no_text(run: Path, config: Config, capsysbinary, monkeypatch):
    """By hand: the first byte of a Chinese character alone is printed as U+FFFD."""
    monkeypatch.setattr(generate, "draw", lambda *_: 0xE8)
    found = generate.generate(config, run / "checkpoints" / "best.ckpt", "a", 1, 1.0, 256)
    assert found == b"a\xe8"
    assert capsysbinary.readouterr().out == "a\ufffd\n".encode()


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("--bytes=0", "0"),
        ("--temperature=-1", "-1"),
        ("--temperature=warm", "warm"),
        ("--top_k=0", "0"),
        ("--checkpoint=missing.ckpt", "no checkpoint at missing.ckpt"),
    ],
)
def test_bad_values(run: Path, flag: str, message: str, capsys):
    """One line with the value, and exit status 2."""
    with pytest.raises(SystemExit) as stop:
        main(["generate", flag])
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
