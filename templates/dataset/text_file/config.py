@dataclass(config=STRICT)
class DatasetConfig:
    """A text."""

    path: str = "text.txt"
    """the file, or a folder of files, UTF-8"""
    length: PositiveInt = 64
    """bytes in a row, the most that a prediction looks back on"""
    stride: PositiveInt = 32
    """bytes from the start of a training row to the next; fewer make more rows an epoch"""
