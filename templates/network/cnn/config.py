@dataclass(config=STRICT)
class NetworkConfig:
    """Convolutional network."""

    width: PositiveInt = 32
    """channels after the first convolution; the second has twice as many"""
