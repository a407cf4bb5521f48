@dataclass(config=STRICT)
class NetworkConfig:
    """Multilayer perceptron."""

    width: PositiveInt = 128
    """units in each hidden layer"""
    depth: PositiveInt = 2
    """hidden layers"""
