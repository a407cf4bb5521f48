"""The vision transformer against plain NumPy."""

import math
import re

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

from package.engine.errors import InputError
from package.network import Block, ViT


def rows(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def weights_of(cell: ms.nn.Cell) -> dict[str, np.ndarray]:
    """Draw every parameter of ``cell`` anew, so that none is 0 or 1, and return them by name."""
    rng = np.random.default_rng(1)
    for parameter in cell.trainable_params():
        value = 0.5 * rng.standard_normal(parameter.shape)
        parameter.set_data(Tensor(value.astype(np.float32)))
    return {p.name: p.asnumpy().astype(np.float64) for p in cell.trainable_params()}


def dense(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    return x @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0)


def layer_norm(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-6)
    return x * weights[f"{name}.gamma"] + weights[f"{name}.beta"]


def gelu(x: np.ndarray) -> np.ndarray:
    """Return x times the normal distribution function of x."""
    return x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2


def attention(x: np.ndarray, weights: dict[str, np.ndarray], heads: int) -> np.ndarray:
    """Attend row by row, head by head and query by query."""
    q, k, v = (dense(x, weights, f"attention.{name}") for name in ("query", "key", "value"))
    d = x.shape[2] // heads
    y = np.zeros_like(q)
    for b, h, i in np.ndindex(len(x), heads, x.shape[1]):
        part = slice(h * d, (h + 1) * d)
        likeness = np.exp(k[b, :, part] @ q[b, i, part] / math.sqrt(d))
        y[b, i, part] = likeness @ v[b, :, part] / likeness.sum()
    return dense(y, weights, "attention.out")


@pytest.mark.parametrize(
    "shape, patch", [((1, 8, 8), 2), ((3, 28, 28), 7), ((1, 32, 32), 8), ((3, 4, 6), 2)]
)
def test_shapes(shape, patch):
    """Oracle: the signature, (batch, *shape) to (batch, outputs)."""
    assert ViT(shape, 4, patch, width=8)(Tensor(rows(3, *shape))).shape == (3, 4)


def test_attention_equals_numpy():
    """Oracle: one weighted mean at a time in NumPy, with the cell's own weights."""
    block = Block(6, heads=3)
    expected = attention(data := rows(2, 4, 6), weights_of(block), heads=3)
    found = block.attention(Tensor(data)).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_block_equals_numpy():
    """Oracle: the two pre-norm branches in NumPy, GELU by the error function."""
    cell = Block(6, heads=2)
    weights = weights_of(cell)
    data = rows(2, 4, 6)
    x = data + attention(layer_norm(data, weights, "norm1"), weights, heads=2)
    y = gelu(dense(layer_norm(x, weights, "norm2"), weights, "up"))
    expected = x + dense(y, weights, "down")
    np.testing.assert_allclose(cell(Tensor(data)).asnumpy(), expected, rtol=1e-4, atol=1e-4)


def test_patches_are_read_line_by_line():
    """Oracle: slices of the image, one a patch, in reading order."""
    data = rows(2, 3, 4, 6)
    corners = [(0, 0), (0, 2), (0, 4), (2, 0), (2, 2), (2, 4)]
    expected = [data[:, :, i : i + 2, j : j + 2].reshape(2, 12) for i, j in corners]
    found = ViT((3, 4, 6), 2, patch=2, width=4).patches(Tensor(data)).asnumpy()
    np.testing.assert_array_equal(found, np.stack(expected, 1))


def test_embedding_and_head_equal_numpy():
    """Oracle: NumPy before and after the blocks, which are tested above."""
    network = ViT((1, 4, 6), 3, patch=2, width=8)
    weights = weights_of(network)
    data = rows(2, 1, 4, 6)
    patches = network.patches(Tensor(data)).asnumpy()
    x = Tensor((dense(patches, weights, "embedding") + weights["position"]).astype(np.float32))
    for block in network.blocks:
        x = block(x)
    x = layer_norm(x.asnumpy(), weights, "norm").reshape(2, -1)
    expected = dense(x, weights, "head")
    np.testing.assert_allclose(network(Tensor(data)).asnumpy(), expected, rtol=1e-3, atol=1e-3)


def test_parameters():
    """Oracle: counted by hand; 16 patches of 4 pixels, tokens of width 8."""
    network = ViT((1, 8, 8), 10, patch=2, width=8, depth=2)
    block = 2 * 2 * 8 + (4 * 8 * 8 + 3 * 8) + (8 * 32 + 32) + (32 * 8 + 8)
    expected = (4 * 8 + 8) + 16 * 8 + 2 * block + 2 * 8 + 16 * 8 * 10 + 10
    parameters = network.trainable_params()
    assert sum(p.size for p in parameters) == expected
    assert {p.name for p in parameters} >= {"position", "blocks.1.attention.query.weight"}


@pytest.mark.parametrize(
    "shape, patch, sizes", [((1, 8, 12), 3, "1, 2, 4"), ((3, 28, 28), 8, "1, 2, 4, 7, 14, 28")]
)
def test_refuses_a_patch_that_does_not_fit(shape, patch, sizes):
    """Oracle: the common divisors of height and width, by hand."""
    with pytest.raises(InputError, match=rf"patch {patch} .* use one of {sizes}$"):
        ViT(shape, 2, patch)


def test_refuses_heads_that_do_not_fit():
    """Oracle: the divisors of 6, by hand."""
    with pytest.raises(InputError, match=r"heads 4 .* width 6: use one of 1, 2, 3, 6$"):
        ViT((1, 8, 8), 2, width=6, heads=4)


@pytest.mark.parametrize("shape", [(2,), (8, 8), (3, 1, 8, 8)])
def test_refuses_what_is_not_an_image(shape):
    """Oracle: the contract, an InputError that names the shape."""
    with pytest.raises(InputError, match=re.escape(str(shape))):
        ViT(shape, 3)
