

def test_value() -> None:
    """The formula in float64 NumPy, one number a row."""
    loss = LOSS(reduction="none")(*tensors(*ROWS))
    expected = formula(LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY)
    np.testing.assert_allclose(loss.asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_reduction(reduction: str) -> None:
    """NumPy's mean or sum of the formula over the rows: a scalar."""
    loss = LOSS(reduction=reduction)(*tensors(*ROWS))
    expected = getattr(np, reduction)(formula(LOG_PROB, OLD, ADVANTAGE, VALUE, TARGET, ENTROPY))
    assert loss.shape == ()
    assert float(loss) == pytest.approx(expected, rel=1e-4)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled value and gradient are the same."""
    grad_fn = ms.value_and_grad(LOSS(), (0, 3, 5))
    eager_value, eager_gradients = grad_fn(*tensors(*ROWS))
    value, gradients = ms.jit(grad_fn)(*tensors(*ROWS))
    assert float(value) == pytest.approx(float(eager_value), rel=1e-6)
    for gradient, expected in zip(gradients, eager_gradients):
        np.testing.assert_allclose(gradient.asnumpy(), expected.asnumpy(), rtol=1e-6)


def test_float16() -> None:
    """By hand: value 0 and target 300 give 0.7 * 300^2 / 2 = 31 500, float16 or not."""
    zero = Tensor(np.zeros(2, np.float16))
    loss = LOSS()(zero, zero, zero, zero, Tensor(np.full(2, 300, np.float16)), zero)
    assert float(loss) == pytest.approx(31500)


@pytest.mark.parametrize("argument", range(6))
def test_shapes_that_differ_are_refused(argument: int, tmp_path: Path, monkeypatch) -> None:
    """ValueError, where NumPy would broadcast a column and a row to (60, 60)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    rows = tensors(*ROWS)
    rows[argument] = rows[argument].reshape((60, 1))
    with pytest.raises(ValueError, match="must agree in shape"):
        LOSS()(*rows)
