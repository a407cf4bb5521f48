"""The pictures that a run draws."""

from dataclasses import replace

from package.__main__ import main
from package.config import Config
from package.train import train


def test_run_and_evaluation_draw_the_same(short: Config, capsys):
    """Every second epoch and the test have a picture; ``evaluate`` draws that of the test again."""
    run = train(replace(short, picture_every=2), quiet=True).folder
    assert [path.name for path in (run / "samples").iterdir()] == ["epoch_0002.png"]
    picture = (run / "samples.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    (run / "samples.png").unlink()
    main(["evaluate", "--checkpoint", str(run)])
    assert (run / "samples.png").read_bytes() == picture
    table = capsys.readouterr().out
    assert table.replace("\n", "").endswith(str((run / "samples.png").resolve()))
