@dataclass(config=STRICT)
class DatasetConfig:
    """Friedman's first regression function."""

    rows: PositiveInt = 4000
    """rows drawn, for all three splits together"""
    noise: NonNegativeFloat = 1.0
    """standard deviation of the noise on the label"""
