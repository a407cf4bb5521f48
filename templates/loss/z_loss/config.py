@dataclass(config=STRICT)
class LossConfig:
    """Cross entropy with a penalty on the normaliser."""

    coefficient: NonNegativeFloat = 0.0001
    """weight of log(Z)^2; 0: the cross entropy alone, above 0.01 it costs likelihood"""
