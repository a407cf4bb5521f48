@dataclass
class OptimizerConfig:
    """Lion."""

    learning_rate: number.PositiveFloat = 0.0005
    """what every weight moves in an update, 3 to 10 times less than for AdamW; the peak"""
    beta1: number.ClosedUnitInterval = 0.9
    """share of the momentum in the direction taken, the rest is the new gradient"""
    beta2: number.ClosedUnitInterval = 0.99
    """decay of the momentum; it forgets over 1 / (1 - beta2) updates"""
    weight_decay: number.NonNegativeFloat = 0.1
    """times the rate, the share of a weight lost in an update; 3 to 10 times that of AdamW"""
