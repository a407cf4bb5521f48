"""Shows a run in TensorBoard: event files in its folder."""

import time
from pathlib import Path
from typing import Any

import yaml

from .config import Config
from .engine.settings import names
from .engine.tracking import Record, points


class TensorBoardTracker:
    """Writes each record to the disk before it returns.

    A resumed run goes on in a file of its own. That begins with a mark, from which step on
    TensorBoard forgets what earlier files say: the last one kept, whose records are written again.

    Args:
        config: settings of the run, shown as a text and as hyperparameters.
        folder: of the run.
        records: what a resumed run has logged already.

    Raises:
        ImportError: tensorboardX is not there.
        OSError: the file cannot be written.
    """

    def __init__(self, config: Config, folder: Path, records: list[Record]):
        # imported here, since what is not there must not stop a run
        from tensorboardX import event_file_writer, summary
        from tensorboardX.proto.event_pb2 import Event, SessionLog

        self.event, self.summary = Event, summary
        number = len(list(folder.glob("events.out.tfevents.*")))
        self.file = event_file_writer.EventsWriter(str(folder / "events"), f".{number:03}")
        step = records[-1]["step"] if records else 0
        self.write(step, session_log=SessionLog(status=SessionLog.START))
        settings = names(config)
        text = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
        shown = "".join(f"    {line}\n" for line in text.splitlines())  # Markdown for code
        _, hyperparameters, _ = summary.hparams(settings, {})
        self.write(step, summary=summary.text("settings", shown))
        self.write(step, summary=hyperparameters)
        for record in records:
            if record["step"] >= step:
                self.log(record)
        self.file.flush()

    def write(self, step: int, **content: Any) -> None:
        """Write one event."""
        self.file.write_event(self.event(step=step, wall_time=time.time(), **content))

    def log(self, record: Record) -> None:
        """Write the metrics of a record, in float32."""
        for name, value in points(record).items():
            self.write(record["step"], summary=self.summary.scalar(name, value))
        self.file.flush()

    def close(self, finished: bool) -> None:
        """Close the file."""
        self.file.close()


create_tracker = TensorBoardTracker
