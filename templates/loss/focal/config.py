@dataclass(config=STRICT)
class LossConfig:
    """Focal loss."""

    gamma: NonNegativeFloat = 2.0
    """how much less an easy row counts; 0: the cross entropy, 5: nearly only the hard rows"""
