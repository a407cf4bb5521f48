@dataclass(config=STRICT)
class ScheduleConfig:
    """One cycle."""

    peak_fraction: Annotated[float, Field(ge=0, le=1)] = 0.3
    """share of the updates in which the rate climbs to its peak"""
    start_divisor: PositiveFloat = 25.0
    """the peak over the first rate"""
    final_divisor: PositiveFloat = 10000.0
    """the first rate over the last"""
