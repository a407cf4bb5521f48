@dataclass(config=STRICT)
class DatasetConfig:
    """Python's reference."""

    length: PositiveInt = 64
    """bytes in a row, the most that a prediction looks back on"""
    stride: PositiveInt = 32
    """bytes from the start of a training row to the next; fewer make more rows an epoch"""
