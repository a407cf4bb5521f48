@dataclass(config=STRICT)
class LossConfig:
    """Cross entropy with label smoothing."""

    smoothing: Annotated[float, Field(ge=0, le=1)] = 0.1
    """share of the label spread evenly over all classes; 0: the cross entropy, above 0.2 is rare"""
