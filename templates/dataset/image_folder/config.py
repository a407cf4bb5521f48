@dataclass(config=STRICT)
class DatasetConfig:
    """Images, a folder for each class."""

    path: str = "images"
    """folder that holds one sub-folder of images for each class"""
    size: PositiveInt = 32
    """pixels to which width and height are resized; twice as many cost four times the memory"""
    channels: Literal[1, 3] = 3
    """3 for colour, 1 for grey"""
