"""What a whole run must reach."""

from package.engine.task import Task


def reached(test: dict[str, float], untrained: Task) -> bool:
    """An accuracy of 0.85 on the test rows."""
    return test["accuracy"] >= 0.85
