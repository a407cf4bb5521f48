@dataclass(config=STRICT)
class DatasetConfig:
    """A noisy line."""

    rows: PositiveInt = 5000
    """points drawn, for all three splits together"""
