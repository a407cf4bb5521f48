    epochs: PositiveInt = {{ defaults.epochs }}
    """passes over the training rows"""
    batch_size: PositiveInt = {{ (defaults.batch_size + steps - 1) // steps * steps }}
    """rows that one update of the weights sees; those left over at an epoch's end are not used"""
    train_rows: PositiveInt | None = None
    """use only so many of the training rows; a single batch of them should be overfitted"""
