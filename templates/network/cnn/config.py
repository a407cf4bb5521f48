@dataclass
class NetworkConfig:
    """Convolutional network."""

    width: number.PositiveInt = 32
    """channels after the first convolution; the second has twice as many"""
