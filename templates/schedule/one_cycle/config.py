@dataclass
class ScheduleConfig:
    """One cycle."""

    peak_fraction: number.ClosedUnitInterval = 0.3
    """share of the updates in which the rate climbs to its peak"""
    start_divisor: number.PositiveFloat = 25.0
    """the peak over the first rate"""
    final_divisor: number.PositiveFloat = 10000.0
    """the first rate over the last"""
