@dataclass(config=STRICT)
class GradientPolicyConfig:
    """Sharpness-aware minimization."""

    rho: PositiveFloat = 0.05
    """how far to climb before taking the gradient, in units of the weights; 0.01 to 0.2"""
