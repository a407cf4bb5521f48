@dataclass
class ScheduleConfig:
    """Drops at equal intervals."""

    drops: number.PositiveInt = 1
    """how often the rate drops; the run has one part more"""
    factor: number.OpenUnitInterval = 0.1
    """what the rate is multiplied by at a drop"""
