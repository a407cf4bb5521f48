@dataclass(config=STRICT)
class GradientPolicyConfig:
    """Clipping by value."""

    max_value: PositiveFloat = 1.0
    """bound on every entry of the gradient, in its units; lower it if single entries spike"""
