@dataclass
class NetworkConfig:
    """Vision transformer."""

    patch: number.PositiveInt = 2
    """side of a patch in pixels; it divides height and width, and 16 to 256 patches are usual"""
    width: number.PositiveInt = 32
    """width of a token"""
    depth: number.PositiveInt = 3
    """transformer blocks"""
    heads: number.PositiveInt = 4
    """attention heads in each block; it divides the width"""
