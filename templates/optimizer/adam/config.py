@dataclass
class OptimizerConfig:
    """Adam."""

    learning_rate: number.PositiveFloat = 3e-3
    """size of a step; the peak, where the schedule changes it"""
    beta1: number.ClosedUnitInterval = 0.9
    """decay of the gradient's mean; it forgets over 1 / (1 - beta1) steps"""
    beta2: number.ClosedUnitInterval = 0.999
    """decay of the gradient's mean square"""
    epsilon: number.PositiveFloat = 1e-8
    """added to the root of the mean square; larger damps small gradients"""
