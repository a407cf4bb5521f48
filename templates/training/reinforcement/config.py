    epochs: PositiveInt = {{ defaults.epochs }}
    """rollouts, each followed by its updates"""
    batch_size: PositiveInt = {{ [defaults.batch_size // steps, 1] | max * steps }}
    """steps of the environments that one update of the weights sees"""
    passes: PositiveInt = {{ defaults.passes }}
    """passes over the steps of a rollout before the next is made"""
    discount: Annotated[float, Field(ge=0, le=1)] = {{ defaults.discount }}
    """what a reward is worth one step later; the policy looks 1 / (1 - discount) steps ahead"""
    gae_lambda: Annotated[float, Field(ge=0, le=1)] = {{ defaults.gae_lambda }}
    """how far the rewards themselves count before the value does; 0: one step, 1: all the way"""
    normalize_advantage: bool = True
    """shift and scale the advantages of each rollout to mean 0 and deviation 1"""
    evaluation_episodes: PositiveInt = 100
    """greedy episodes of the test, 100 as a rule"""
