@dataclass(config=STRICT)
class DatasetConfig:
    """Three intertwined spirals."""

    rows: PositiveInt = 3000
    """rows drawn, for all three splits together"""
    noise: NonNegativeFloat = 0.03
    """standard deviation of the noise on a coordinate; neighbouring arms are 1 / (3 turns) apart"""
    turns: PositiveFloat = 1.0
    """how often an arm winds around the centre; more is harder"""
