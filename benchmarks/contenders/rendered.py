"""The rendered project: its own ``train``, watched at the start and the end of each epoch."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import Queue
from typing import Any

import numpy as np

from ..cases import LEARNING_RATE, Case


def prepare(
    case: Case, arrays: dict[str, np.ndarray], project: str
) -> Callable[[int], dict[str, float]]:
    """Start training in a thread that waits before each epoch until it is asked for.

    An epoch gives its loss, its seconds, those of them spent on making its batches, and when it was
    over. They are those of its data, its steps and the mean of their losses; what the project does
    between two epochs (validation, log, checkpoint) is done before the answer, and not counted.
    """
    sys.path.insert(0, f"{project}/src")
    from mindspore import Tensor, ops
    from mindspore_project import batches as rows_of
    from mindspore_project import build, train
    from mindspore_project.config import read

    turn: Queue = Queue()
    done: Queue = Queue()
    started = [0.0]
    weights = [arrays[name] for name in sorted(arrays) if name.startswith("w")]
    train_epoch, create_network = train.train_epoch, build.create_network

    def create(*arguments: Any) -> Any:
        network = create_network(*arguments)
        for parameter, weight in zip(network.trainable_params(), weights):
            assert parameter.shape == weight.shape, parameter.name
            ops.assign(parameter, Tensor(weight))
        return network

    def begin() -> None:
        if started[0]:
            done.put(finished.pop())
        turn.get()
        started[0] = time.perf_counter()

    finished: list[dict[str, float]] = []
    waited = [0.0]

    def end(loss: Any) -> Any:
        first = loss["loss"] if isinstance(loss, dict) else loss
        seconds = time.perf_counter() - started[0]
        finished.append({"loss": first, "seconds": seconds, "data": waited[0], "over": time.time()})
        return loss

    def timed(feed: Iterable) -> Iterator:
        waited[0], start = 0.0, time.perf_counter()
        for batch in feed:
            waited[0] += time.perf_counter() - start
            yield batch
            del batch  # or two would be kept
            start = time.perf_counter()

    if case.network == "ppo":
        from mindspore_project.rollout import Collector

        collect = Collector.collect

        def watched_collect(self: Any, epoch: int) -> Any:
            begin()
            return collect(self, epoch)

        Collector.collect = watched_collect
        train.train_epoch = lambda *arguments: end(train_epoch(*arguments))
    else:
        rows = rows_of.Split(arrays["data"], arrays["label"])
        few = rows_of.Split(rows.data[:8], rows.label[:8])
        train.load = lambda config: rows_of.Dataset(rows, few, few, outputs=case.outputs)

        def watched(train_steps: Any, feed: Iterable) -> Any:
            begin()
            return end(train_epoch(train_steps, timed(feed)))

        train.train_epoch = watched
    train.create_network = create
    train.runtime.keep_ctrl_c = lambda: None
    flags = [
        *case.flags,
        f"--batch_size={case.batch_size}",
        "--epochs=1000000",
        f"--optimizer.learning_rate={LEARNING_RATE}",
        f"--run_dir={project}/runs/{os.getpid()}",
    ]
    config = read(overrides=[flag.removeprefix("--") for flag in flags])

    def run() -> None:
        try:
            train.train(config, True)
        except BaseException as error:
            done.put(error)

    threading.Thread(target=run, daemon=True).start()

    def epoch(number: int) -> dict[str, float]:
        turn.put(number)
        answer = done.get()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return epoch
