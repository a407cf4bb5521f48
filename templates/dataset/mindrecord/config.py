@dataclass(config=STRICT)
class DatasetConfig:
    """MindRecord shards."""

    path: str = "data.mindrecord"
    """the file that ``prepare`` writes; without the digits that end the names of its shards"""
    size: PositiveInt = 32
    """pixels to which width and height are resized, where the rows are images"""
    channels: Literal[1, 3] = 3
    """3 for colour, 1 for grey, likewise"""
    augment: bool = False
    """change training images at random in each epoch, as ``augmentations`` in data.py says"""
    workers: PositiveInt = 2
    """threads that read rows; another number of them augments otherwise"""
