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


def main() -> None:
    """Answer each line ``epoch N`` with a JSON line."""
    import numpy as np

    from .cases import CASES

    contender, case, path, extra = sys.argv[1], CASES[sys.argv[2]], sys.argv[3], sys.argv[4]
    module, options = CONTENDERS[contender]
    arrays = dict(np.load(path))
    options = options | json.loads(extra)
    if options.pop("few", False):
        case = replace(case, rows=2 * case.batch_size)
        arrays |= {name: arrays[name][: case.rows] for name in ("data", "label")}
    prepare = importlib.import_module(f".contenders.{module}", __package__).prepare
    epoch = prepare(case, arrays, **options)
    for line in sys.stdin:
        start = time.perf_counter()
        loss = epoch(int(line))
        seconds, over = time.perf_counter() - start, time.time()
        if isinstance(loss, tuple):
            loss, seconds, over = loss
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        answer = {"seconds": seconds, "loss": loss, "over": over, "mib": peak}
        print(json.dumps(answer), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
