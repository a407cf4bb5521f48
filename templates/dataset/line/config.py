@dataclass
class DatasetConfig:
    """A noisy line."""

    rows: number.PositiveInt = 5000
    """points drawn, for all three splits together"""
