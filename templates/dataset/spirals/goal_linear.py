"""What a whole run must reach."""

from package.engine.task import Task


def reached(test: dict[str, float], untrained: Task) -> bool:
    """An accuracy of 0.4 on the test rows; chance is 0.33, and no straight line parts spirals."""
    return test["accuracy"] >= 0.4
