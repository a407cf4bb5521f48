@dataclass(config=STRICT)
class GradientPolicyConfig:
    """Clipping by the norm of each tensor."""

    max_norm: PositiveFloat = 1.0
    """bound on the norm of each tensor's gradient, in its units; rule of thumb: 1"""
