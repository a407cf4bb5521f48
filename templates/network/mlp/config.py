@dataclass
class NetworkConfig:
    """Multilayer perceptron."""

    width: number.PositiveInt = 128
    """units in each hidden layer"""
    depth: number.PositiveInt = 2
    """hidden layers"""
