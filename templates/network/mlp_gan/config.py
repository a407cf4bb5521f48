@dataclass(config=STRICT)
class NetworkConfig:
    """Generator and discriminator of dense layers."""

    latent: PositiveInt = 16
    """standard normal numbers that a sample is made of"""
    width: PositiveInt = 128
    """units in each hidden layer"""
    depth: PositiveInt = 2
    """hidden layers of each network"""
