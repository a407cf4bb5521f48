"""What a whole run must reach."""

from package.engine.task import Task


def reached(test: dict[str, float], untrained: Task) -> bool:
    """A Frechet distance of at most 0.7 times that of fresh weights."""
    return test["frechet"] <= 0.7 * untrained.evaluate("test")["frechet"]
