@dataclass
class OptimizerConfig:
    """Gradient descent."""

    learning_rate: number.PositiveFloat = 0.03
    """step over gradient; the peak, where the schedule changes it; too large diverges"""
