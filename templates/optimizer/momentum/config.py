@dataclass(config=STRICT)
class OptimizerConfig:
    """Gradient descent with momentum."""

    learning_rate: PositiveFloat
    """update over gradient; the peak, where the schedule changes it; too large diverges"""
    momentum: Annotated[float, Field(ge=0, le=1)] = 0.9
    """share of the velocity kept; updates grow by 1 / (1 - momentum), so lower the rate with it"""
    nesterov: bool = False
    """look ahead along the velocity; often a little better"""
