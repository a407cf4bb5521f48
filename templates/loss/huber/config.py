@dataclass
class LossConfig:
    """Huber loss."""

    delta: number.PositiveFloat = 1.0
    """residual at which the square turns into a line, in units of the label"""
