@dataclass
class LossConfig:
    """Pinball loss."""

    level: number.OpenUnitInterval = 0.5
    """share of the labels below the prediction; 0.5: the median, 0.9: above nine in ten"""
