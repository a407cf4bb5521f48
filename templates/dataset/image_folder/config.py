@dataclass(config=STRICT)
class DatasetConfig:
    """Images, a folder for each class."""

    path: str = "images"
    """folder that holds one sub-folder of images for each class"""
    size: PositiveInt = 32
    """pixels to which width and height are resized; twice as many cost four times the memory"""
    channels: Literal[1, 3] = 3
    """3 for colour, 1 for grey"""
    in_memory: NonNegativeInt = 200
    """megabytes of decoded images that are held in memory; more are read anew in each epoch"""
    augment: bool = False
    """change training images at random in each epoch, as ``augmentations`` in data.py says"""
    workers: PositiveInt = 2
    """threads that read images; another number of them augments otherwise"""
