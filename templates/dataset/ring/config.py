@dataclass(config=STRICT)
class DatasetConfig:
    """Eight Gaussians on a circle."""

    rows: PositiveInt = 10000
    """rows drawn, for all three splits together"""
    radius: PositiveFloat = 2.0
    """of the circle on which the modes lie"""
    deviation: PositiveFloat = 0.1
    """standard deviation of a coordinate about its mode; 0.02, as in the paper, takes longer"""
