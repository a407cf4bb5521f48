"""One contender in one case: waits on standard input for its turn, and times one epoch a turn."""

import importlib
import json
import resource
import sys
import time
from dataclasses import replace

CONTENDERS = {
    "rendered": ("rendered", {}),
    "tutorial": ("tutorial", {}),
    "Model.train": ("model_train", {}),
    "PyTorch": ("pytorch", {}),
    "torch.compile": ("pytorch", {"compiled": True}),
    "JAX jit": ("jax_", {}),
    "JAX scan": ("jax_", {"scan": True}),
}
VARIANTS = {
    "PyTorch, 1 worker": ("pytorch", {"workers": 1}),
    "PyTorch, 1 thread": ("pytorch", {"threads": 1}),
}
"""contenders that are measured only if they are named"""


def main() -> None:
    """Answer each line, the number of an epoch, with a JSON line."""
    import numpy as np

    from .cases import CASES

    contender, case, path, extra = sys.argv[1], CASES[sys.argv[2]], sys.argv[3], sys.argv[4]
    module, options = (CONTENDERS | VARIANTS)[contender]
    arrays = dict(np.load(path))
    options = options | json.loads(extra)
    rows = options.pop("rows", case.rows)
    if case.network != "ppo":
        case = replace(case, rows=rows)
        arrays |= {name: arrays[name][:rows].copy() for name in ("data", "label")}
    prepare = importlib.import_module(f".contenders.{module}", __package__).prepare
    epoch = prepare(case, arrays, **options)
    for line in sys.stdin:
        start = time.perf_counter()
        result = epoch(int(line))
        answer = {"seconds": time.perf_counter() - start, "over": time.time()}
        answer |= result if isinstance(result, dict) else {"loss": result}
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(answer | {"mib": peak}), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
