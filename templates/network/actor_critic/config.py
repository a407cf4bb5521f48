@dataclass(config=STRICT)
class NetworkConfig:
    """Actor and critic."""

    width: PositiveInt = 64
    """units in each hidden layer, of the actor and of the critic"""
    depth: PositiveInt = 2
    """hidden layers of each"""
