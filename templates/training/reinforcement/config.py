    epochs: number.PositiveInt = {{ defaults.epochs }}
    """rollouts, each followed by its updates"""
    batch_size: number.PositiveInt = {{ [defaults.batch_size | int // steps, 1] | max * steps }}
    """steps of the environments that one update of the weights sees"""
    passes: number.PositiveInt = {{ defaults.get("passes", "1") }}
    """passes over the steps of a rollout before the next is made"""
    discount: number.ClosedUnitInterval = {{ defaults.get("discount", "0.99") }}
    """what a reward is worth one step later; the policy looks 1 / (1 - discount) steps ahead"""
    gae_lambda: number.ClosedUnitInterval = {{ defaults.get("gae_lambda", "0.95") }}
    """how far the rewards themselves count before the value does; 0: one step, 1: all the way"""
    normalize_advantage: bool = True
    """shift and scale the advantages of each rollout to mean 0 and deviation 1"""
    validation_every: number.PositiveInt = {{ defaults.get("validation_every", "5") }}
    """rollouts between two validations, each of one greedy episode in every environment"""
    evaluation_episodes: number.PositiveInt = 100
    """greedy episodes of the test, 100 as a rule"""
