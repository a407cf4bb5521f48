"""The metrics of trained weights on the test split."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from .config import Config
from .engine import checkpoint, runtime
from .engine.errors import InputError
from .engine.folder import read_kept
from .engine.log import remark, to_json
from .task import create_task


def evaluate(
    config: Config, path: Path, as_json: bool = False, picture: Path | None = None
) -> dict[str, float]:
    """Evaluate the weights in ``path`` on the test split and print the result.

    Args:
        config: settings of the run that made the weights.
        path: the checkpoint, in its run's folder.
        as_json: print one JSON object instead of a table.
        picture: where to draw what the network makes or does; by default as the run did, if it did.

    Raises:
        InputError: the weights or the data cannot be used.
    """
    runtime.start(config.device, config.execution, config.seed)
    folder = path.resolve().parents[1]
    task = create_task(config, read_kept(folder))
    for line in task.remarks:
        remark(line)
    checkpoint.load(task.network, path)
    task.network.set_train(False)
    result = task.evaluate("test")
    if as_json:
        print(to_json(result))
    else:
        table = Table("metric", "test")
        for name, value in result.items():
            table.add_row(name, f"{value:.6g}")
        print(path)
        Console().print(table)
    if picture is not None and task.draw is None:
        raise InputError(f"there is nothing to draw into {picture}")
    if picture is None and task.picture and not task.remarks:  # the run's own, of the run's data
        picture = folder / task.picture
    if picture is not None and task.draw:
        try:
            task.draw("test", picture)
        except OSError as error:
            raise InputError(f"{picture} cannot be written: {error}") from error
        if not as_json:
            print(picture)
    return result
