@dataclass(config=STRICT)
class LossConfig:
    """Advantage actor-critic."""

    value_coefficient: NonNegativeFloat = 0.5
    """weight of the critic's error; it has weights of its own, so this sets its rate"""
    entropy_coefficient: NonNegativeFloat = 0.01
    """weight of the policy's entropy; larger explores longer, 0: no push"""
