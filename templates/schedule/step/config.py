@dataclass(config=STRICT)
class ScheduleConfig:
    """Drops at equal intervals."""

    drops: PositiveInt = 1
    """how often the rate drops; the run has one part more"""
    factor: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """what the rate is multiplied by at a drop"""
