"""The rendered project: its own ``train``, watched at the start and the end of each epoch."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
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
    from mindspore_project import task, train
    from mindspore_project.config import read
    from mindspore_project.engine import run as runs

    turn: Queue = Queue()
    done: Queue = Queue()
    finished: list[dict[str, float]] = []
    waited = [0.0]
    create_network, create_task, train_epoch = (
        task.create_network,
        train.create_task,
        runs.Run.train,
    )

    def given_network(*arguments: Any) -> Any:
        network = create_network(*arguments)
        weights = [arrays[name] for name in sorted(arrays) if name.startswith("w")]
        for parameter, weight in zip(network.trainable_params(), weights):
            assert parameter.shape == weight.shape, parameter.name
            ops.assign(parameter, Tensor(weight))
        return network

    def timed_task(*arguments: Any) -> Any:
        made = create_task(*arguments)
        return replace(made, feed=lambda epoch, first: timed(made.feed(epoch, first)))

    def timed(feed: Iterable) -> Iterator:
        waited[0], start = 0.0, time.perf_counter()
        for chunk in feed:
            waited[0] += time.perf_counter() - start
            yield chunk
            del chunk  # or two would be kept
            start = time.perf_counter()

    def watched(run: Any, launch: Callable) -> None:
        if finished:
            done.put(finished.pop())
        turn.get()
        start = time.perf_counter()
        train_epoch(run, launch)
        first = run.epoch_losses()["loss"]
        seconds = time.perf_counter() - start
        finished.append({"loss": first, "seconds": seconds, "data": waited[0], "over": time.time()})

    if case.network != "ppo":
        from mindspore_project.engine.rows import Dataset, Split

        rows = Split(arrays["data"], arrays["label"])
        few = rows.first(8)
        task.load = lambda *arguments: Dataset(rows, few, few, outputs=case.outputs)
    task.create_network = given_network
    train.create_task = timed_task
    runs.Run.train = watched
    train.runtime.keep_ctrl_c = lambda: None
    flags = [
        *case.flags,
        f"--batch_size={case.batch_size}",
        "--epochs=1000000",
        "--log_every=0",  # as the others, which measure nothing
        f"--optimizer.learning_rate={LEARNING_RATE}",
        f"--run_dir={project}/runs/{os.getpid()}",
    ]
    config = read(overrides=[flag.removeprefix("--") for flag in flags])

    def run() -> None:
        try:
            train.train(config, quiet=True)
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
