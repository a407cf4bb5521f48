@dataclass(config=STRICT)
class NetworkConfig:
    """Generator and discriminator of convolutions."""

    latent: PositiveInt = 32
    """standard normal numbers that an image is made of"""
    width: PositiveInt = 32
    """channels at half the image's size; at a quarter of it there are twice as many"""
