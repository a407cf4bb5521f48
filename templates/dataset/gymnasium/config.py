@dataclass(config=STRICT)
class DatasetConfig:
    """A Gymnasium environment."""

    environment: str = "CartPole-v1"
    """its name in Gymnasium's registry; `module:name` imports the module first"""
    environments: PositiveInt = 64
    """copies of it that run side by side; the policy acts for all of them at once"""
    rollout_steps: PositiveInt = 32
    """steps that each of them takes in a rollout"""
