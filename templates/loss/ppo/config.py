@dataclass(config=STRICT)
class LossConfig:
    """Proximal policy optimisation."""

    clip_ratio: PositiveFloat = 0.2
    """how far from 1 the ratio of new to old probability may gain; 0.1 to 0.3"""
    value_coefficient: NonNegativeFloat = 0.5
    """weight of the critic's error; it has weights of its own, so this sets its rate"""
    entropy_coefficient: NonNegativeFloat = 0.01
    """weight of the policy's entropy; larger explores longer, 0: no push"""
