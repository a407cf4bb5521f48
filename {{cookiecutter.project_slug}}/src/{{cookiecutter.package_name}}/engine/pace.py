"""How many steps a launch takes."""

from .ranks import highest

SECONDS = 1.0
"""how long a launch lasts, so that a run can be stopped, saved and looked at soon"""


class Pace:
    """The size of launches that last about a second; it is 1 until they were timed.

    A launch takes a part of arrays that have one shape, so that no other size is compiled. All
    ranks have one pace.

    Args:
        auto: times the launches; if not, all are as large as they can be.
        most: steps that a launch can take.
    """

    def __init__(self, auto: bool, most: int):
        self.auto, self.most = auto, most
        self.steps = 1 if auto else most

    def took(self, steps: int, seconds: float) -> None:
        """Take in how long a launch of so many steps was."""
        if self.auto and self.most > 1:
            fitting = int(SECONDS * steps / max(seconds, 1e-9))
            self.steps = highest(max(1, min(self.most, fitting)))
