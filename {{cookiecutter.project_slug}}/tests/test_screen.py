"""What a person sees of a run."""

import pytest

from {{ cookiecutter.package_name }}.engine.screen import Screen, duration


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "1 s"),
        (42.4, "42 s"),
        (100, "2 min"),
        (12_000, "3 h 20 min"),
        (187_000, "2 d 4 h"),
    ],
)
def test_durations(seconds: float, said: str):
    """By hand."""
    assert duration(seconds) == said


def test_bar_shows_the_updates():
    """By hand: where it is, and of the last line the loss, the rate and the speed."""
    screen = Screen(epochs=3, updates=60, quiet=True)
    times = {"rows_per_second": 1234.5, "seconds": 1.0}
    screen.move(2, 30, {"step": 30, "loss": 0.5, "learning_rate": 0.003, **times})
    task = screen.progress.tasks[0]
    assert (task.completed, task.total) == (30, 60)
    assert task.description == "epoch 2/3, loss 0.5, learning_rate 0.003, rows_per_second 1234"


def test_long_silence_is_broken(capsys, monkeypatch):
    """A minute after the last line, which is what stands for the bar here, updates make one."""
    screen = Screen(epochs=3, updates=60, quiet=False)
    screen.progress.disable = True
    screen.move(2, 30, {"step": 30, "loss": 0.5})
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(screen, "spoke", screen.spoke - 61)
    for update in (40, 41):
        screen.move(2, update, {"step": update, "loss": 0.25})
    assert capsys.readouterr().out == "epoch 2/3, update 40: loss 0.25\n"


def test_quiet_screen_says_nothing(capsys):
    """Neither lines nor what was judged."""
    screen = Screen(epochs=3, updates=60, quiet=True)
    screen.say("a line")
    screen.judge(1, 20, [{"step": 20, "epoch": 1, "split": "train", "loss": 0.5}], "")
    assert capsys.readouterr().out == ""
