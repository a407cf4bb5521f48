"""Shows a run in MLflow: in a folder beside it, or on a server."""

import os
import time
from collections import Counter
from pathlib import Path

from .config import Config
from .engine.settings import names
from .engine.tracking import Record, points

ENVIRONMENT = {
    "MLFLOW_ALLOW_FILE_STORE": "true",  # without which MLflow takes no folder
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",  # in place of 7, for which training would wait minutes
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",  # seconds
}
"""what MLflow is told unless the user tells it otherwise"""


class MLflowTracker:
    """Writes each record before it returns.

    A resumed run goes on as the same run in MLflow, whose name stands in ``mlflow.txt`` in its
    folder. Points cannot be taken back there: those that it had after the saved state are equal to
    those that come now, which are left out.

    Args:
        config: settings of the run, which become parameters.
        folder: of the run.
        records: what a resumed run has logged already.

    Raises:
        ImportError: MLflow is not there.
        MlflowException: the runs cannot be written, or the run that is resumed is not among them.
        OSError: likewise.
    """

    def __init__(self, config: Config, folder: Path, records: list[Record]):
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        # imported here, since what is not there must not stop a run
        from mlflow import MlflowClient
        from mlflow.entities import Metric, Param

        self.metric = Metric
        beside = (folder.parent / "mlruns").resolve().as_uri()
        self.client = MlflowClient(config.tracker.uri or beside)
        self.there: Counter[tuple[str, int]] = Counter()
        """points that the run has in MLflow and that will come again, by name and step"""
        path = folder / "mlflow.txt"
        if config.resume and path.exists():
            self.run = path.read_text(encoding="utf-8").strip()
            self.client.update_run(self.run, "RUNNING")
            for name in self.client.get_run(self.run).data.metrics:
                history = self.client.get_metric_history(self.run, name)
                self.there.update((name, point.step) for point in history)
        else:
            name = str(__package__)
            found = self.client.get_experiment_by_name(name)
            experiment = found.experiment_id if found else self.client.create_experiment(name)
            self.run = self.client.create_run(experiment, run_name=folder.name).info.run_id
            path.write_text(f"{self.run}\n", encoding="utf-8")
            settings = [Param(name, str(value)) for name, value in names(config).items()]
            self.client.log_batch(self.run, params=settings)
        for record in records:
            self.log(record)

    def log(self, record: Record) -> None:
        """Write the metrics of a record that are not there."""
        now, step = int(1000 * time.time()), record["step"]
        metrics = []
        for name, value in points(record).items():
            if self.there[name, step]:
                self.there[name, step] -= 1
            else:
                metrics.append(self.metric(name, value, now, step))
        self.client.log_batch(self.run, metrics=metrics)

    def close(self, finished: bool) -> None:
        """Say that the run is finished, or was stopped."""
        self.client.set_terminated(self.run, "FINISHED" if finished else "KILLED")


create_tracker = MLflowTracker
