@dataclass(config=STRICT)
class LossConfig:
    """Huber loss."""

    delta: PositiveFloat = 1.0
    """residual at which the square turns into a line, in units of the label"""
