@dataclass(config=STRICT)
class TrackerConfig:
    """MLflow."""

    uri: str | None = None
    """where runs are kept: a server or a database; by default the folder mlruns beside the run's"""
