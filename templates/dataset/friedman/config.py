@dataclass
class DatasetConfig:
    """Friedman's first regression function."""

    rows: number.PositiveInt = 4000
    """rows drawn, for all three splits together"""
    noise: number.NonNegativeFloat = 1.0
    """standard deviation of the noise on the label"""
