@dataclass
class GradientPolicyConfig:
    """Clipping by value."""

    max_value: number.PositiveFloat = 1.0
    """bound on every entry of the gradient, in its units; lower it if single entries spike"""
