"""One module a contender: ``prepare(case, arrays) -> epoch(number) -> loss``."""
