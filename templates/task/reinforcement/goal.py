"""What a whole run must reach."""

from package.engine.task import Task


def reached(test: dict[str, float], untrained: Task) -> bool:
    """A return of 75 in the test; without training CartPole gives 9 to 25."""
    return test["return_mean"] >= 75
