@dataclass(config=STRICT)
class GradientPolicyConfig:
    """Clipping by the global norm."""

    max_norm: PositiveFloat = 1.0
    """bound on the norm of all gradients together, in their units; rule of thumb: 1"""
