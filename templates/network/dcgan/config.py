@dataclass
class NetworkConfig:
    """Generator and discriminator of convolutions."""

    latent: number.PositiveInt = 32
    """standard normal numbers that an image is made of"""
    width: number.PositiveInt = 32
    """channels at half the image's size; at a quarter of it there are twice as many"""
