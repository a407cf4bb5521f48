@dataclass(config=STRICT)
class LossConfig:
    """Huber loss."""

    delta: PositiveFloat | None = None
    """residual at which the square becomes a line, in the label's unit; default: its deviation"""
