"""Time whole training epochs of every contender, in turn, and write the table.

``make bench`` runs it. All contenders of a case are started, then each does one epoch a round while
the others are stopped, so that whatever else the machine does falls on all alike.
"""

import argparse
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from .cases import CASES, Case
from .worker import CONTENDERS, VARIANTS

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent
OURS = ("rendered", "tutorial", "Model.train")
PARTS = ("cases", "twice", "policies", "render")


class Contender:
    """A worker process, stopped while it is not its turn."""

    def __init__(self, python: str, name: str, case: str, arrays: Path, extra: dict):
        self.name = name
        self.process = subprocess.Popen(
            [python, "-m", "benchmarks.worker", name, case, str(arrays), json.dumps(extra)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def epoch(self, number: int) -> dict:
        """Let it do one epoch alone."""
        os.killpg(self.process.pid, signal.SIGCONT)
        assert self.process.stdin is not None and self.process.stderr is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        seen = []
        for line in self.process.stderr:
            if line.startswith("{"):
                os.killpg(self.process.pid, signal.SIGSTOP)
                return json.loads(line)
            seen.append(line)
        raise RuntimeError(f"{self.name} stopped: {''.join(seen[-20:])}")

    def close(self) -> None:
        """End it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def race(
    case: str, arrays: Path, entries: dict[str, tuple[str, str, dict]], rounds: int
) -> dict[str, list[dict]]:
    """Let each entry, (python, contender, extra), do an epoch a round; return what it said."""
    contenders: dict[str, Contender] = {}
    said: dict[str, list[dict]] = {label: [] for label in entries}
    try:
        for label, (python, contender, extra) in entries.items():
            contenders[label] = Contender(python, contender, case, arrays, extra)
            os.killpg(contenders[label].process.pid, signal.SIGSTOP)
        for number in range(1, rounds + 2):
            for label, process in contenders.items():
                said[label].append(process.epoch(number))
    finally:
        for process in contenders.values():
            process.close()
    return said


def seconds(epochs: list[dict]) -> float:
    """Median of an epoch's seconds; the first, which compiles, does not count."""
    return statistics.median(epoch["seconds"] for epoch in epochs[1:])


def render(case: Case, folder: Path, **answers: str) -> Path:
    """Render the case's project."""
    chosen = [f"{question}={answer}" for question, answer in (case.answers | answers).items()]
    command = [sys.executable, "-m", "cookiecutter", str(ROOT), "--no-input", "--default-config"]
    subprocess.run([*command, "-o", str(folder), *chosen], check=True, capture_output=True)
    return folder / "mindspore-project"


def run_case(name: str, other: str, rounds: int, only: list[str]) -> dict[str, dict]:
    """Measure every contender in one case.

    Args:
        name: of the case.
        other: the Python that has the other frameworks.
        rounds: epochs to take the median of, after one that does not count.
        only: contenders to measure.
    """
    case = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        project = str(render(case, Path(folder)))
        arrays = Path(folder) / "arrays.npz"
        np.savez(arrays, **case.arrays())
        entries = {
            contender: (
                sys.executable if contender in OURS else other,
                contender,
                {"project": project} if contender == "rendered" else {},
            )
            for contender in only
        }
        first = {}
        for contender, (python, _, extra) in entries.items():
            began = time.time()
            process = Contender(
                python, contender, name, arrays, extra | {"rows": 2 * case.batch_size}
            )
            first[contender] = process.epoch(1)["over"] - began
            process.close()
        said = race(name, arrays, entries, rounds)
    return {
        contender: {
            "step_us": 1e6 * seconds(epochs) / case.updates,
            "first_step_s": first[contender],
            "peak_mib": epochs[-1]["mib"],
            "losses": [epoch["loss"] for epoch in epochs],
        }
        for contender, epochs in said.items()
    }


def run_twice(name: str, rounds: int) -> dict[str, float]:
    """Measure the rendered project on a case's rows and on twice as many."""
    case = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        project = str(render(case, Path(folder)))
        arrays = Path(folder) / "arrays.npz"
        np.savez(arrays, **replace(case, rows=2 * case.rows).arrays())
        entries = {
            str(factor): (
                sys.executable,
                "rendered",
                {"project": project, "rows": factor * case.rows},
            )
            for factor in (1, 2)
        }
        once, twice = race(name, arrays, entries, rounds).values()
    return {
        "data_share": statistics.median(epoch["data"] / epoch["seconds"] for epoch in once[1:]),
        "times_as_long": seconds(twice) / seconds(once),
        "peak_mib": once[-1]["mib"],
        "peak_mib_twice": twice[-1]["mib"],
        "rows_mib": 4 * case.rows * int(np.prod(case.shape)) / 2**20,
    }


def run_policies(name: str, rounds: int) -> dict[str, float]:
    """Measure the rendered project with every gradient policy: microseconds a step."""
    case = CASES[name]
    policies = json.loads((ROOT / "cookiecutter.json").read_text(encoding="utf-8"))[
        "gradient_policy"
    ]
    with tempfile.TemporaryDirectory() as folder:
        arrays = Path(folder) / "arrays.npz"
        np.savez(arrays, **case.arrays())
        entries = {}
        for policy in policies:
            project = render(case, Path(folder) / policy, gradient_policy=policy)
            entries[policy] = sys.executable, "rendered", {"project": str(project)}
        said = race(name, arrays, entries, rounds)
    return {policy: 1e6 * seconds(epochs) / case.updates for policy, epochs in said.items()}


def run_render(rounds: int) -> float:
    """Measure rendering the default project, as a process of its own: seconds."""
    taken = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            render(CASES["mlp 10-32-1"], Path(folder))
            taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def markdown(head: tuple[str, ...], rows: list[tuple], texts: int = 1) -> str:
    """Format a table, of which the first ``texts`` columns are not numbers."""
    line = ["---"] * texts + ["---:"] * (len(head) - texts)
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in (head, line, *rows))


def table(results: dict[str, dict[str, dict]]) -> str:
    """Format the results of the cases; a ratio is the contender's time over the project's."""
    head = ("case", "contender", "µs a step", "times the project", "to the first step, s")
    rows = []
    for case, contenders in results.items():
        base = contenders["rendered"]["step_us"] if "rendered" in contenders else float("nan")
        for name, r in contenders.items():
            ratio = f"{r['step_us'] / base:.2f}"
            sizes = f"{r['first_step_s']:.1f}", f"{r['peak_mib']:.0f}", f"{r['losses'][-1]:.5f}"
            rows.append((case, name, f"{r['step_us']:.0f}", ratio, *sizes))
    return markdown((*head, "peak MiB", "last loss"), rows, texts=2)


def table_twice(results: dict[str, dict]) -> str:
    """Format what the batches cost, and what twice the rows do."""
    head = ("case", "batches, share of an epoch", "twice the rows: times as long")
    rows = [
        (
            case,
            f"{100 * r['data_share']:.1f} %",
            f"{r['times_as_long']:.2f}",
            f"{r['rows_mib']:.1f}",
            f"{r['peak_mib']:.0f}",
            f"{r['peak_mib_twice']:.0f}",
        )
        for case, r in results.items()
    ]
    return markdown((*head, "rows, MiB", "peak MiB", "peak MiB with twice the rows"), rows)


def table_policies(results: dict[str, float]) -> str:
    """Format what each gradient policy costs."""
    rows = [(p, f"{us:.0f}", f"{us / results['none']:.2f}") for p, us in results.items()]
    return markdown(("gradient policy", "µs a step", "times none"), rows)


def machine() -> str:
    """Say what the numbers were taken on."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    cpu = model[1] if model else platform.processor()
    return f"{os.cpu_count()} cores, {cpu}; Python {platform.python_version()}"


def versions(other: str | None) -> dict[str, str]:
    """Versions of the frameworks, of the others only if ``other`` is a Python that has them."""
    ours = {"mindspore": version("mindspore"), "numpy": version("numpy")}
    if other is None:
        return ours
    code = (
        "import json; from importlib.metadata import version;"
        "print(json.dumps({p: version(p) for p in ('torch', 'jax')}))"
    )
    printed = subprocess.run([other, "-c", code], check=True, capture_output=True, text=True).stdout
    return ours | json.loads(printed)


def main() -> None:
    """Run the cases and write ``results.json`` and the table."""
    parser = argparse.ArgumentParser(description="Time the rendered project against others.")
    parser.add_argument("--other", default=str(ROOT / ".venv-bench" / "bin" / "python"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=list(CASES))
    every = [*CONTENDERS, *VARIANTS]
    parser.add_argument("--contenders", nargs="*", default=list(CONTENDERS), choices=every)
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=PARTS)
    parser.add_argument("--dry", action="store_true", help="print only")
    options = parser.parse_args()
    others = any(contender not in OURS for contender in options.contenders)
    here = {"machine": machine(), "versions": versions(options.other if others else None)}
    results = HERE / "results.json"
    before = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    same = {name: before.get(name) for name in here} == here
    record: dict = before if same else here  # what is not measured now stays
    if "cases" in options.parts:
        record.setdefault("cases", {})
        for case in options.cases:
            print(f"{case} ...", file=sys.stderr, flush=True)
            only = [c for c in options.contenders if c not in CASES[case].without]
            record["cases"][case] = run_case(case, options.other, options.rounds, only)
            if CASES[case].network != "ppo":  # which draws its own rows
                compare_losses(case, record["cases"][case])
    if "twice" in options.parts:
        record.setdefault("twice", {})
        for case in options.cases:
            if CASES[case].network != "ppo":  # whose rows are no dataset
                record["twice"][case] = run_twice(case, options.rounds)
    if "policies" in options.parts:
        record["policies"] = run_policies("mlp 784-512-512-10", options.rounds)
    if "render" in options.parts:
        record["render_s"] = run_render(options.rounds)
    text = report(record)
    print(text)
    if options.dry:
        return
    results.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    page = ROOT / "docs" / "performance.md"
    head, _, rest = page.read_text(encoding="utf-8").partition("<!-- table -->\n")
    tail = rest.partition("<!-- end of table -->")[2]
    page.write_text(f"{head}<!-- table -->\n{text}\n<!-- end of table -->{tail}", encoding="utf-8")


def report(record: dict) -> str:
    """Put the tables of what was measured below each other."""
    texts = [describe(record)]
    if "cases" in record:
        texts.append(table(record["cases"]))
    if "twice" in record:
        texts.append(table_twice(record["twice"]))
    if "policies" in record:
        texts.append(table_policies(record["policies"]))
    if "render_s" in record:
        texts.append(f"Rendering the default project took {record['render_s']:.2f} s.")
    return "\n\n".join(texts)


def describe(record: dict) -> str:
    """Say what the numbers were taken on and with."""
    where = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    return f"{record['machine']}; {where}."


def compare_losses(case: str, results: dict[str, dict]) -> None:
    """Complain of a contender whose first losses are not the others'."""
    losses = {contender: r["losses"][:2] for contender, r in results.items()}
    expected = next(iter(losses.values()))
    for contender, found in losses.items():
        if not np.allclose(found, expected, rtol=1e-2):
            print(f"{case}: {contender} has losses {found}, not {expected}", file=sys.stderr)


if __name__ == "__main__":
    main()
