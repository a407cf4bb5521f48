@dataclass(config=STRICT)
class DatasetConfig:
    """A table in a CSV or Parquet file. Where columns are named, commas stand between names."""

    path: str = "data.csv"
    """the file; or a folder with train.csv, test.csv and perhaps validation.csv, or .parquet"""
    label: str | None = None
    """name of the column to predict; by default the last"""
    take: str | None = None
    """columns that are features; by default all that are of use"""
    leave_out: str | None = None
    """columns that are no features"""
    categories: str | None = None
    """columns of categories that look like numbers or free text"""
    id: str | None = None
    """column that names a row: no feature, and what predict calls it"""
    missing: Literal["impute", "drop", "refuse"] = "impute"
    """an empty cell is the median of the training rows or no category, or drops its row, or ends"""
    missing_marks: str | None = None
    """what stands for an empty cell, beside NA, nan, null and their like: ?,-999"""
    group: str | None = None
    """column whose equal values stay in one split, as those of one patient"""
    order: str | None = None
    """column, as of dates, by which the last rows are tested and the first trained on"""
    split: str | None = None
    """column that says train, validation or test of each row"""
    separator: Literal["auto", ",", ";", "|", "tab", "space"] = "auto"
    """what stands between two cells; auto: what gives most lines equally many cells"""
    decimal: Literal[".", ","] = "."
    """decimal sign of the numbers; marks between thousands are refused"""
    header: Literal["auto", "present", "absent"] = "auto"
    """present or not: a line of names; auto: words, at least one of them above numbers"""
