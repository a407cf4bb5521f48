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
from importlib.metadata import version
from pathlib import Path

import numpy as np

from .cases import CASES, Case
from .worker import CONTENDERS

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent
OURS = ("rendered", "tutorial", "Model.train")


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


def render(case: Case, folder: Path) -> Path:
    """Render the case's project."""
    answers = [f"{question}={answer}" for question, answer in case.answers.items()]
    command = [sys.executable, "-m", "cookiecutter", str(ROOT), "--no-input", "--default-config"]
    subprocess.run([*command, "-o", str(folder), *answers], check=True, capture_output=True)
    return folder / "mindspore-project"


def run_case(name: str, other: str, rounds: int, only: list[str]) -> dict[str, dict]:
    """Measure every contender in one case.

    Args:
        name: of the case.
        other: the Python that has the other frameworks.
        rounds: epochs to take the median of, after one that does not count.
        only: contenders to measure.
    """
    with tempfile.TemporaryDirectory() as folder:
        project = render(CASES[name], Path(folder))
        arrays = Path(folder) / "arrays.npz"
        np.savez(arrays, **CASES[name].arrays())

        def start(contender: str, **extra) -> Contender:
            python = sys.executable if contender in OURS else other
            if contender == "rendered":
                extra["project"] = str(project)
            return Contender(python, contender, name, arrays, extra)

        first = {}
        for contender in only:
            began = time.time()
            process = start(contender, few=True)
            first[contender] = process.epoch(1)["over"] - began
            process.close()

        contenders = {contender: start(contender) for contender in only}
        epochs: dict[str, list[dict]] = {contender: [] for contender in only}
        try:
            for process in contenders.values():
                os.killpg(process.process.pid, signal.SIGSTOP)
            for number in range(1, rounds + 2):
                for contender, process in contenders.items():
                    epochs[contender].append(process.epoch(number))
        finally:
            for process in contenders.values():
                process.close()
    return {
        contender: {
            "step_us": 1e6 * statistics.median(e["seconds"] for e in found[1:]) / CASES[name].steps,
            "first_step_s": first[contender],
            "peak_mib": found[-1]["mib"],
            "losses": [e["loss"] for e in found],
        }
        for contender, found in epochs.items()
    }


def table(results: dict[str, dict[str, dict]]) -> str:
    """Format the results as a Markdown table; a ratio is the contender's time over the project's."""
    lines = [
        "| case | contender | µs a step | times the project | to the first step, s | peak MiB | last loss |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for case, contenders in results.items():
        base = contenders["rendered"]["step_us"] if "rendered" in contenders else float("nan")
        for name, r in contenders.items():
            lines.append(
                f"| {case} | {name} | {r['step_us']:.0f} | {r['step_us'] / base:.2f} | "
                f"{r['first_step_s']:.1f} | {r['peak_mib']:.0f} | {r['losses'][-1]:.5f} |"
            )
    return "\n".join(lines)


def machine() -> str:
    """Say what the numbers were taken on."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    cpu = model[1] if model else platform.processor()
    return f"{os.cpu_count()} cores, {cpu}; Python {platform.python_version()}"


def versions(other: str) -> dict[str, str]:
    """Versions of the frameworks."""
    code = (
        "import json; from importlib.metadata import version;"
        "print(json.dumps({p: version(p) for p in ('torch', 'jax')}))"
    )
    printed = subprocess.run([other, "-c", code], check=True, capture_output=True, text=True).stdout
    return {"mindspore": version("mindspore"), "numpy": version("numpy"), **json.loads(printed)}


def main() -> None:
    """Run the cases and write ``results.json`` and the table."""
    parser = argparse.ArgumentParser(description="Time the rendered project against others.")
    parser.add_argument("--other", default=str(ROOT / ".venv-bench" / "bin" / "python"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--contenders", nargs="*", default=list(CONTENDERS))
    parser.add_argument("--dry", action="store_true", help="print only")
    options = parser.parse_args()
    results = {}
    for case in options.cases:
        print(f"{case} ...", file=sys.stderr, flush=True)
        only = [c for c in options.contenders if c not in CASES[case].without]
        results[case] = run_case(case, options.other, options.rounds, only)
        losses = {c: r["losses"] for c, r in results[case].items()}
        expected = next(iter(losses.values()))
        for contender, found in losses.items():
            if not np.allclose(found[:2], expected[:2], rtol=1e-2):
                print(f"{case}: {contender} has losses {found}, not {expected}", file=sys.stderr)
    text = table(results)
    print(text)
    if options.dry:
        return
    record = {"machine": machine(), "versions": versions(options.other), "cases": results}
    (HERE / "results.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    page = ROOT / "docs" / "performance.md"
    before, _, rest = page.read_text(encoding="utf-8").partition("<!-- table -->\n")
    after = rest.partition("<!-- end of table -->")[2]
    where = ", ".join(f"{name} {v}" for name, v in record["versions"].items())
    page.write_text(
        f"{before}<!-- table -->\n{record['machine']}; {where}.\n\n{text}\n<!-- end of table -->{after}",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
