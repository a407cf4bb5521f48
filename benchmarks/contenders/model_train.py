"""``Model.train``, without a callback that reads the loss at every step."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.train import Callback, Model

from ..cases import LEARNING_RATE, Case
from .mindspore_networks import create
from .tutorial import rows


class Losses(Callback):
    """Keep the losses; they are read when the epoch is over."""

    def __init__(self):
        super().__init__()
        self.losses: list[ms.Tensor] = []

    def step_end(self, run_context):
        """Keep one."""
        self.losses.append(run_context.original_args().net_outputs)


def prepare(case: Case, arrays: dict[str, np.ndarray]) -> Callable[[int], float]:
    """Compile nothing yet: the first epoch does."""
    ms.set_device("CPU")
    ms.set_context(mode=ms.GRAPH_MODE)
    network, loss_fn = create(case, arrays)
    model = Model(network, loss_fn, nn.Adam(network.trainable_params(), LEARNING_RATE))

    def epoch(number: int) -> float:
        kept = Losses()
        model.train(1, rows(case, arrays, number), callbacks=[kept], dataset_sink_mode=False)
        return float(np.mean([loss.asnumpy() for loss in kept.losses]))

    return epoch
