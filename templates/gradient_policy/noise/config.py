@dataclass(config=STRICT)
class GradientPolicyConfig:
    """Annealed Gaussian noise."""

    eta: PositiveFloat = 0.01
    """variance of the first update's noise, in squared units of the gradient; up to 1"""
    gamma: NonNegativeFloat = 0.55
    """after t updates the variance is eta / (1 + t)^gamma; 0: it never fades"""
