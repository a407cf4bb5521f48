@dataclass
class LossConfig:
    """Huber loss."""

    delta: number.PositiveFloat | None = None
    """residual at which the square becomes a line, in the label's unit; default: its deviation"""
