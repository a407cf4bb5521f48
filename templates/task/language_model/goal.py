"""What a whole run must reach."""

from package.engine.task import Task


def reached(test: dict[str, float], untrained: Task) -> bool:
    """4.3 bits a byte on the test rows, of 4.7 without a look at the bytes before."""
    return test["bits_per_byte"] <= 4.3
