@dataclass(config=STRICT)
class NetworkConfig:
    """Residual network."""

    width: PositiveInt = 16
    """channels of the first stage; each stage after it has twice as many, on half the image"""
    stages: PositiveInt = 2
    """stages; 3 or 4 for images of 32 x 32 pixels and more"""
    blocks: PositiveInt = 1
    """residual blocks in each stage"""
