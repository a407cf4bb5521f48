@dataclass(config=STRICT)
class LossConfig:
    """Pinball loss."""

    level: Annotated[float, Field(gt=0, lt=1)] = 0.5
    """share of the labels below the prediction; 0.5: the median, 0.9: above nine in ten"""
