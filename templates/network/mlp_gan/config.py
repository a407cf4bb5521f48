@dataclass
class NetworkConfig:
    """Generator and discriminator of dense layers."""

    latent: number.PositiveInt = 16
    """standard normal numbers that a sample is made of"""
    width: number.PositiveInt = 128
    """units in each hidden layer"""
    depth: number.PositiveInt = 2
    """hidden layers of each network"""
