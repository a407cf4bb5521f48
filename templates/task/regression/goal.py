"""What a whole run must reach."""

from package.engine.task import Task


def reached(test: dict[str, float], untrained: Task) -> bool:
    """An R² of 0.85 on the test rows."""
    return test["r2"] >= 0.85
