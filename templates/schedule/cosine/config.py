@dataclass
class ScheduleConfig:
    """A warm-up, then half a cosine."""

    warmup_fraction: number.ClosedUnitInterval = 0.05
    """share of the updates in which the rate climbs to its peak; 0: it starts there"""
    final_fraction: number.ClosedUnitInterval = 0.0
    """the last rate as a share of the peak"""
