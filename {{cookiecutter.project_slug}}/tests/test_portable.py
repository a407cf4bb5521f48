"""What takes the place of layers unknown to ONNX, and how the number of rows gets free."""

import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from {{ cookiecutter.package_name }}.engine import portable


@pytest.mark.parametrize(
    ("layer", "shape"), [(nn.GroupNorm(2, 4), (3, 4, 5, 6)), (nn.GELU(False), (3, 40))]
)
def test_equal_forms_are_equal(layer: nn.Cell, shape: tuple[int, ...]) -> None:
    """Oracle: MindSpore's own layer, at small and at large numbers, with drawn weights."""
    rng = np.random.default_rng(0)
    for parameter in layer.get_parameters():
        ops.assign(parameter, Tensor(rng.standard_normal(parameter.shape).astype(np.float32)))
    data = Tensor(np.geomspace(0.01, 9, np.prod(shape)).reshape(shape).astype(np.float32))
    data = data * Tensor(rng.choice([-1, 1], shape).astype(np.float32))
    expected = layer(data).asnumpy()
    portable.make_portable(layer)
    assert type(layer).__module__ == portable.__name__
    np.testing.assert_allclose(layer(data).asnumpy(), expected, rtol=1e-5, atol=2e-6)


def test_number_of_rows_divides_no_length() -> None:
    """By hand: 31 divides the 62 units, 37 the 74 features of a row, and 41 is left."""
    assert portable.batch_for(nn.Dense(74, 62), (74,)) == 41
    assert portable.batch_for(nn.Dense(64, 10), (64,)) == 31


def test_number_of_rows_is_free() -> None:
    """By hand: lengths that 31 divides go; of equal rows of a constant one is left."""
    from onnx import TensorProto, helper, numpy_helper

    def reshape(x: str, sides: list[int], y: str) -> list:
        shape = numpy_helper.from_array(np.array(sides), f"{y}_shape")
        value = helper.make_tensor_value_info(y, TensorProto.FLOAT, [abs(side) for side in sides])
        return [helper.make_node("Reshape", [x, shape.name], [y]), shape, value]

    first, second = reshape("data", [31, 2, 6], "a"), reshape("a", [124, 3], "y")
    start = numpy_helper.from_array(np.full((31, 3), 0.5, np.float32), "start")
    rows = helper.make_tensor_value_info("data", TensorProto.FLOAT, [31, 12])
    initial = [first[1], second[1], start]
    nodes, inside = [first[0], second[0]], [first[2]]
    graph = helper.make_graph(nodes, "g", [rows], [second[2]], initial, value_info=inside)
    portable.free_batch(graph, 31)
    left = [numpy_helper.to_array(x) for x in graph.initializer]
    assert [x.tolist() for x in left] == [[-1, 2, 6], [-1, 3], [[0.5, 0.5, 0.5]]]
    assert graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
