@dataclass(config=STRICT)
class GradientPolicyConfig:
    """Adaptive gradient clipping."""

    clipping: PositiveFloat = 0.01
    """largest ratio of a unit's gradient norm to its weight norm; smaller for larger batches"""
    eps: PositiveFloat = 0.001
    """least norm of a unit's weights in that ratio, so that those that start at 0 can move"""
    skip: str = ""
    """leave alone parameters with this in their name (the paper: the last layer's); empty: none"""
