@dataclass(config=STRICT)
class OptimizerConfig:
    """Adam with decoupled weight decay."""

    learning_rate: PositiveFloat
    """size of an update; the peak, where the schedule changes it"""
    beta1: Annotated[float, Field(gt=0, lt=1)] = 0.9
    """decay of the gradient's mean; it forgets over 1 / (1 - beta1) updates"""
    beta2: Annotated[float, Field(gt=0, lt=1)] = 0.999
    """decay of the gradient's mean square, over 1 / (1 - beta2) updates"""
    epsilon: PositiveFloat = 1.0e-8
    """added to the root of the mean square; larger damps small gradients"""
    weight_decay: NonNegativeFloat = 0.01
    """times the rate, the share of a weight lost in an update; 0: plain Adam, 0.1: strong"""
