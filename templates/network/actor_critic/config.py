@dataclass
class NetworkConfig:
    """Actor and critic."""

    width: number.PositiveInt = 64
    """units in each hidden layer, of the actor and of the critic"""
    depth: number.PositiveInt = 2
    """hidden layers of each"""
