@dataclass(config=STRICT)
class NetworkConfig:
    """Gated recurrent units."""

    embedding: PositiveInt = 64
    """width of a token on its way in"""
    width: PositiveInt = 128
    """units of the hidden state; a step costs its square"""
