@dataclass
class OptimizerConfig:
    """Gradient descent with momentum."""

    learning_rate: number.PositiveFloat = 0.005
    """step over gradient; the peak, where the schedule changes it; too large diverges"""
    momentum: number.ClosedUnitInterval = 0.9
    """share of the velocity kept; steps grow by 1 / (1 - momentum), so lower the rate with it"""
    nesterov: bool = False
    """look ahead along the velocity; often a little better"""
