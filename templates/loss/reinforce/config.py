@dataclass(config=STRICT)
class LossConfig:
    """REINFORCE with a baseline."""

    value_coefficient: NonNegativeFloat = 0.5
    """weight of the baseline's error; it has weights of its own, so this sets its rate"""
    entropy_coefficient: NonNegativeFloat = 0.01
    """weight of the policy's entropy; larger explores longer, 0: no push"""
