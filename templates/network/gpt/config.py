@dataclass(config=STRICT)
class NetworkConfig:
    """Generative pre-trained transformer."""

    width: PositiveInt = 64
    """width of a token; a wider network learns more from a byte, and each step costs more"""
    depth: PositiveInt = 2
    """transformer blocks"""
    heads: PositiveInt = 4
    """attention heads in each block; it divides the width, and 16 to 64 units a head are usual"""
