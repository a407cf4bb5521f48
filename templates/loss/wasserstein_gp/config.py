@dataclass
class LossConfig:
    """Wasserstein distance with a gradient penalty."""

    weight: number.PositiveFloat = 10.0
    """of the penalty; less lets the discriminator's slope leave 1, in logits a unit of the data"""
