@dataclass(config=STRICT)
class NetworkConfig:
    """Vision transformer."""

    patch: PositiveInt = 2
    """side of a patch in pixels; it divides height and width, and 16 to 256 patches are usual"""
    width: PositiveInt = 32
    """width of a token"""
    depth: PositiveInt = 3
    """transformer blocks"""
    heads: PositiveInt = 4
    """attention heads in each block; it divides the width"""
