"""Networks that leave the project, for any number of rows: as MINDIR and as ONNX."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from .errors import InputError, RunError

PRIMES = 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79


class GroupNorm(nn.GroupNorm):
    """``nn.GroupNorm``, written out."""

    def construct(self, x: Tensor) -> Tensor:
        """Map (batch, channels, height, width) to the same shape."""
        channels, height, width = x.shape[1:]
        groups = x.reshape((-1, self.num_groups, channels // self.num_groups * height * width))
        groups = groups - ops.ReduceMean(True)(groups, -1)
        variance = ops.ReduceMean(True)(groups * groups, -1)
        x = (groups / ops.sqrt(variance + self.eps)).reshape((-1, channels, height, width))
        return x * self.gamma.reshape((channels, 1, 1)) + self.beta.reshape((channels, 1, 1))


class GELU(nn.GELU):
    """``nn.GELU`` with the error function to 1.5e-7.

    It is formula 7.1.26 of M. Abramowitz and I. A. Stegun, *Handbook of mathematical functions*.
    """

    def construct(self, x: Tensor) -> Tensor:
        """Map any shape to the same shape."""
        z = ops.abs(x) * 0.7071067811865476
        t = ops.pow(1 + 0.3275911 * z, -1)
        series = 1.421413741 + t * (-1.453152027 + t * 1.061405429)
        tail = t * (0.254829592 + t * (-0.284496736 + t * series)) * ops.exp(-z * z)
        return ops.relu(x) - 0.5 * ops.abs(x) * tail


EQUAL = {nn.GroupNorm: GroupNorm, nn.GELU: GELU}
"""what takes the place of layers of MindSpore"""


def make_portable(network: nn.Cell) -> None:
    """Let each cell that ONNX has no word for be computed by an equal form; its weights stay.

    A class says by its attribute ``portable`` which one that is.
    """
    for _, cell in network.cells_and_names():
        if form := EQUAL.get(type(cell)) or getattr(type(cell), "portable", None):
            cell.__class__ = form


class Form(NamedTuple):
    """A form in which a network leaves the project."""

    name: str
    """of the file"""
    write: Callable[[nn.Cell, np.ndarray, Path], None]
    """``(network, rows, path)``"""
    run: Callable[[Path, np.ndarray], np.ndarray]
    """``(path, rows) -> output``"""


def batch_for(network: nn.Cell, shape: tuple[int, ...]) -> int:
    """Choose a number of rows that divides no length inside the network, and so is known there."""
    shapes = [parameter.shape for parameter in network.get_parameters()]
    sides = {side for sides in [*shapes, shape] for side in sides}
    return next(prime for prime in PRIMES if all(side % prime for side in sides))


def write_mindir(network: nn.Cell, rows: np.ndarray, path: Path) -> None:
    """Write a network that takes rows like ``rows``, any number of them, as MINDIR.

    Raises:
        RunError: it cannot be exported.
    """
    free = Tensor(shape=(None, *rows.shape[1:]), dtype=Tensor(rows[:1]).dtype)
    try:
        ms.export(network, free, file_name=str(path), file_format="MINDIR")
    except (RuntimeError, ValueError, TypeError) as error:
        raise RunError(f"{path} cannot be written: {first_line(error)}") from error


def run_mindir(path: Path, rows: np.ndarray) -> np.ndarray:
    """Let the network in a file work on rows."""
    return nn.GraphCell(ms.load(str(path)))(Tensor(rows)).asnumpy()


def write_onnx(network: nn.Cell, rows: np.ndarray, path: Path) -> None:
    """Write a network that maps ``data`` to ``output``, as ONNX; one in a process, no more.

    MindSpore writes the number of rows into every shape. Where it is known to be no other length,
    as that of ``rows`` is, it is taken out again.

    Raises:
        InputError: the package onnx is missing.
        RunError: ONNX has no word for an operation.
    """
    try:
        import onnx  # an extra
    except ImportError as error:
        raise InputError(
            "ONNX needs two packages more: install this project with its extra, .[export]"
        ) from error
    try:
        ms.onnx.export(network, Tensor(rows), file_name=str(path), input_names=["data"])
    except (RuntimeError, ValueError, TypeError) as error:
        raise RunError(f"{path} cannot be written: {first_line(error)}") from error
    model = onnx.shape_inference.infer_shapes(onnx.load(str(path)))
    free_batch(model.graph, len(rows))
    rename_output(model.graph, "output")
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def run_onnx(path: Path, rows: np.ndarray) -> np.ndarray:
    """Let the network in a file work on rows, by ONNX Runtime."""
    import onnxruntime  # an extra

    return onnxruntime.InferenceSession(str(path)).run(None, {"data": rows})[0]


def free_batch(graph: Any, batch: int) -> None:
    """Replace ``batch`` by whatever it will be, in a graph where no other length is a multiple.

    Inputs and outputs get a name in its place, a reshaping takes what is left, and of a constant
    with equal rows one is enough.
    """
    from onnx import numpy_helper

    shapes = {
        value.name: [side.dim_value for side in value.type.tensor_type.shape.dim]
        for value in [*graph.value_info, *graph.output]
    }
    del graph.value_info[:]
    for value in [*graph.input, *graph.output]:
        for side in value.type.tensor_type.shape.dim:
            if side.dim_value == batch:
                side.dim_param = "batch"
    constants = {x.name: x for x in graph.initializer}
    constants |= {x.output[0]: x.attribute[0].t for x in graph.node if x.op_type == "Constant"}

    def put(name: str, values: np.ndarray) -> None:
        constants[name].CopyFrom(numpy_helper.from_array(values, constants[name].name))

    for node in graph.node:
        if node.op_type == "Reshape" and node.output[0] in shapes:
            sides = shapes[node.output[0]]
            put(node.input[1], np.array([side if side % batch else -1 for side in sides]))
        elif node.op_type == "ConvTranspose":  # MindSpore's has the batch in it, too
            for attribute in [x for x in node.attribute if x.name == "output_shape"]:
                node.attribute.remove(attribute)
    for name, constant in constants.items():
        values = numpy_helper.to_array(constant)
        if values.ndim > 1 and len(values) == batch and (values == values[:1]).all():
            put(name, values[:1])


def rename_output(graph: Any, name: str) -> None:
    """Call the one output of a graph ``name``."""
    for node in graph.node:
        node.output[:] = [name if x == graph.output[0].name else x for x in node.output]
        node.input[:] = [name if x == graph.output[0].name else x for x in node.input]
    graph.output[0].name = name


def first_line(error: Exception) -> str:
    """Take from MindSpore's message what it says first."""
    return str(error).strip().splitlines()[0]


MINDIR = Form("network.mindir", write_mindir, run_mindir)
ONNX = Form("network.onnx", write_onnx, run_onnx)
