    epochs: PositiveInt = {{ defaults.epochs }}
    """passes over the training rows, with one update of the generator for each of their batches"""
    batch_size: PositiveInt = {{ (defaults.batch_size + steps - 1) // steps * steps }}
    """rows, and as many samples, that one update sees; rows left over in a pass are not used"""
    discriminator_steps: PositiveInt = {{ defaults.discriminator_steps }}
    """updates of the discriminator before each of the generator, on rows and samples of its own"""
    train_rows: PositiveInt | None = None
    """use only so many of the training rows"""
    picture_every: PositiveInt = 10
    """epochs from one picture of samples to the next"""
