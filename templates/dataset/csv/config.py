@dataclass(config=STRICT)
class DatasetConfig:
    """A table in a CSV file."""

    path: str = "data.csv"
    """the file, UTF-8 text"""
    label: str | None = None
    """name of the column to predict; by default the last, all others are features"""
    separator: Literal["auto", ",", ";", "|", "tab"] = "auto"
    """what stands between two cells; auto: the one of these that is in the first line"""
    decimal: Literal[".", ","] = "."
    """decimal sign of the numbers; marks between thousands are refused"""
    header: Literal["auto", "present", "absent"] = "auto"
    """present or not: a first line of names; auto: present, but refused if a name is a number"""
