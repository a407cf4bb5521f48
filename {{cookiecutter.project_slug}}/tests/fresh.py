"""A task that starts anew."""

import numpy as np

from {{ cookiecutter.package_name }}.config import Config
from {{ cookiecutter.package_name }}.engine.runtime import start
from {{ cookiecutter.package_name }}.engine.task import Task
from {{ cookiecutter.package_name }}.task import create_task


def fresh(config: Config) -> Task:
    """Make the task, its weights drawn by the seed alone, whatever ran before."""
    start(config.device, config.execution, config.seed)
    task = create_task(config)
    task.network.set_train(True)
    return task


def weights_of(task: Task) -> list[np.ndarray]:
    """Copy the weights."""
    return [w.asnumpy().copy() for w in task.network.trainable_params()]
