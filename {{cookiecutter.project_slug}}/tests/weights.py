"""Weights that no layer owns."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn


class Weights(nn.Cell):
    """Own a parameter w0, w1, ... for each value."""

    def __init__(self, *values: object, dtype: ms.Type = ms.float32):
        super().__init__()
        for i, value in enumerate(values):
            self.insert_param_to_cell(f"w{i}", Parameter(Tensor(value, dtype), name=f"w{i}"))


def parameters(*values: object, dtype: ms.Type = ms.float32) -> list[Parameter]:
    """Make the parameters w0, w1, ..."""
    return Weights(*values, dtype=dtype).trainable_params()
