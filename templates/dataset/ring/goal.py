"""What a whole run must reach."""

from package.engine.task import Task


def reached(test: dict[str, float], untrained: Task) -> bool:
    """Three of the 8 modes, of which fresh weights cover 1; 0.12 good samples, of some 0.06."""
    return test["modes"] >= 3 and test["good_share"] >= 0.12
