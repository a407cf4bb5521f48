"""Which kernels a step of the rendered project consists of, and what they take.

``python -m benchmarks.profile "gpt 2x64"`` prints them, those that take longest first.
"""

import argparse
import csv
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from mindspore.profiler import Profiler

from .bench import markdown, render
from .cases import CASES
from .contenders import rendered

STEPS = 20


def main() -> None:
    """Profile an epoch of STEPS steps, after one that compiles.

    What runs between two epochs is in the profile too; a kernel counts if it ran once in every step,
    or in the loop around them.
    """
    parser = argparse.ArgumentParser(description="List the kernels of a step.")
    parser.add_argument("case", choices=[c for c in CASES if CASES[c].network != "ppo"])
    case = CASES[parser.parse_args().case]
    case = replace(case, rows=STEPS * case.batch_size)
    with tempfile.TemporaryDirectory() as folder:
        project = str(render(case, Path(folder)))
        epoch = rendered.prepare(case, case.arrays(), project=project)
        epoch(1)
        profiler = Profiler(start_profile=False, output_path=f"{folder}/profile")
        profiler.start()
        epoch(2)
        profiler.stop()
        profiler.analyse()
        (path,) = Path(folder).glob("profile/**/cpu_op_detail_info_*.csv")
        rows = list(csv.DictReader(path.open(encoding="utf-8")))
    found: dict[str, list[float]] = defaultdict(lambda: [0, 0])
    for row in rows:
        times = int(row["op_occurrences"])
        if times % STEPS in (0, 1):
            for name in (row["op_type"], "all"):
                found[name][0] += times // STEPS
                found[name][1] += 1000 * float(row["op_total_time(ms)"]) / STEPS
    lines = sorted(found.items(), key=lambda item: -item[1][1])
    print(
        markdown(("kernel", "a step", "µs a step"), [(k, n, f"{us:.0f}") for k, (n, us) in lines])
    )


if __name__ == "__main__":
    main()
