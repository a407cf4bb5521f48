@dataclass(config=STRICT)
class OptimizerConfig:
    """Gradient descent."""

    learning_rate: PositiveFloat
    """update over gradient; the peak, where the schedule changes it; too large diverges"""
