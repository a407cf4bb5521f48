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
    if picture is None and task.picture:
        picture = folder / task.picture
    if picture:
        if task.draw is None:
            raise InputError(f"there is nothing to draw into {picture}")
        task.draw("test", picture)
    if as_json:
        print(to_json(result))
        return result
    table = Table("metric", "test")
    for name, value in result.items():
        table.add_row(name, f"{value:.6g}")
    print(path)
    Console().print(table)
    if picture:
        print(picture)
    return result
