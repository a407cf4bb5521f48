"""What one kind of training is to the loop."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from mindspore import Tensor, nn

from .launch import Chunk
from .precision import Scaler
from .tracking import CreateTracker


@dataclass(frozen=True)
class Task:
    """A kind of training as a record of its parts; ``create_task`` in ``task.py`` fills it."""

    network: nn.Cell
    optimizers: tuple[nn.Optimizer, ...]
    train_step: Callable[..., Tensor]
    """``(*batch) -> losses``, a scalar or (losses,), which updates the weights; with what is
    measured beside them (1 + measured,) or (losses, 1 + measured)"""
    losses: tuple[str, ...]
    """names of the losses of a step"""
    steps_per_call: int
    """steps in one launch of the graph, at most"""
    steps_per_epoch: int
    feed: Callable[[int, int], Iterator[Chunk]]
    """``(epoch, first) -> chunks`` from the step ``first`` of the epoch on, which is 0 or where a
    resumed run goes on; all depends on the seed and the epoch alone"""
    evaluate: Callable[[str], dict[str, float]]
    """``("validation" or "test") -> metrics``"""
    score: Callable[[dict[str, float]], float]
    """``(metrics) -> score``, higher for better weights"""
    probe: Callable[[], Tensor]
    """the loss of two rows, a scalar, without an update"""
    measured: tuple[str, ...] = ()
    """names of what goes with each loss of a step"""
    scaler: Scaler = field(default_factory=Scaler)
    """scales the loss, where the precision needs it, and updates or skips"""
    observe: Callable[[], dict[str, float]] = dict
    """what else the epoch that ended is measured by"""
    draw: Callable[[str, Path], None] | None = None
    """``("validation" or "test", path)``: draws what the network makes or does"""
    picture: str | None = None
    """name of the picture that every run leaves in its folder, without which there is none"""
    picture_every: int = 0
    """epochs from one picture during training to the next; 0: none"""
    host: Callable[[], dict[str, np.ndarray]] = dict
    """what lives outside the graph and must be saved, as arrays"""
    restore: Callable[[dict[str, np.ndarray]], None] = lambda arrays: None
    """takes back what ``host`` gave"""
    resumes_in_epoch: bool = True
    """the feed of an epoch depends on nothing that its first steps change"""
    track: CreateTracker | None = None
    """makes what shows the run elsewhere, without which nothing does"""
    kept: str | None = None
    """what of the data must outlive the run, as JSON: how they were prepared and split"""
    found: list[str] = field(default_factory=list)
    """what the data are, in lines for a person"""
    remarks: list[str] = field(default_factory=list)
    """what is questionable about the data, likewise"""

    @property
    def cells(self) -> tuple[nn.Cell, ...]:
        """What has parameters, of which a state is made."""
        return self.network, *self.optimizers, self.scaler
