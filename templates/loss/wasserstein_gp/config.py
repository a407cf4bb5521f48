@dataclass(config=STRICT)
class LossConfig:
    """Wasserstein distance with a gradient penalty."""

    weight: PositiveFloat = 10.0
    """of the penalty; less lets the discriminator's slope leave 1, in logits a unit of the data"""
