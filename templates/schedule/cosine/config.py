@dataclass(config=STRICT)
class ScheduleConfig:
    """A warm-up, then half a cosine."""

    warmup_fraction: Annotated[float, Field(ge=0, le=1)] = 0.05
    """share of the updates in which the rate climbs to its peak; 0: it starts there"""
    final_fraction: Annotated[float, Field(ge=0, le=1)] = 0.0
    """the last rate as a share of the peak"""
