"""Transformations of ``grad_fn``.

Each takes a ``grad_fn`` and returns one with the same call and the same result,
``((loss, aux), grads)``, so that they compose.
"""

from collections.abc import Callable

import mindspore as ms
from mindspore import ops
