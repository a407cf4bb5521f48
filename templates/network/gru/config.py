@dataclass
class NetworkConfig:
    """Gated recurrent units."""

    embedding: number.PositiveInt = 64
    """width of a token on its way in"""
    width: number.PositiveInt = 128
    """units of the hidden state; a step costs its square"""
