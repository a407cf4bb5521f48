@dataclass(config=STRICT)
class OptimizerConfig:
    """Lion."""

    learning_rate: PositiveFloat
    """what every weight moves in an update, 3 to 10 times less than for AdamW; the peak"""
    beta1: Annotated[float, Field(ge=0, le=1)] = 0.9
    """share of the momentum in the direction taken, the rest is the new gradient"""
    beta2: Annotated[float, Field(ge=0, le=1)] = 0.99
    """decay of the momentum; it forgets over 1 / (1 - beta2) updates"""
    weight_decay: NonNegativeFloat = 0.1
    """times the rate, the share of a weight lost in an update; 3 to 10 times that of AdamW"""
