

@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_value(reduction: str) -> None:
    """The formulas in float64 NumPy, logits of both signs up to 30; "none" keeps their shape."""
    loss_fn = LOSS(reduction=reduction)
    reduce: Any = {"none": lambda x: x, "mean": np.mean, "sum": np.sum}[reduction]
    real, fake = REAL.astype(np.float64), FAKE.astype(np.float64)
    found = loss_fn(Tensor(REAL), Tensor(FAKE)).asnumpy()
    assert found.shape == (REAL.shape if reduction == "none" else ())
    np.testing.assert_allclose(found, reduce(discriminator(real, fake)), rtol=1e-5, atol=1e-5)
    found = loss_fn.generator(Tensor(FAKE)).asnumpy()
    np.testing.assert_allclose(found, reduce(generator(fake)), rtol=1e-5, atol=1e-5)


def test_gradient() -> None:
    """Central differences of the formulas in float64 NumPy."""
    loss_fn, h = LOSS(reduction="sum"), 1e-4
    real, fake = REAL.astype(np.float64), FAKE.astype(np.float64)
    by_real, by_fake = ms.grad(loss_fn, (0, 1))(Tensor(REAL), Tensor(FAKE))
    slope = (discriminator(real + h, fake) - discriminator(real - h, fake)) / (2 * h)
    np.testing.assert_allclose(by_real.asnumpy(), slope, rtol=1e-3, atol=1e-4)
    slope = (discriminator(real, fake + h) - discriminator(real, fake - h)) / (2 * h)
    np.testing.assert_allclose(by_fake.asnumpy(), slope, rtol=1e-3, atol=1e-4)
    slope = (generator(fake + h) - generator(fake - h)) / (2 * h)
    found = ms.grad(loss_fn.generator)(Tensor(FAKE)).asnumpy()
    np.testing.assert_allclose(found, slope, rtol=1e-3, atol=1e-4)


def test_jit_equals_eager() -> None:
    """The eager run: the compiled values of both sides are the same."""
    loss_fn = LOSS()
    for function, logits in ((loss_fn, (REAL, FAKE)), (loss_fn.generator, (FAKE,))):
        arguments = [Tensor(x) for x in logits]
        expected = float(function(*arguments))
        assert float(ms.jit(function)(*arguments)) == pytest.approx(expected, rel=1e-6)


def test_float16() -> None:
    """The formulas: float16 logits, whose squares and sums would not fit, are taken as float32."""
    real, fake = np.full((2, 1), -300, np.float16), np.full((2, 1), 300, np.float16)
    loss_fn = LOSS(reduction="sum")
    expected = discriminator(real.astype(np.float64), fake.astype(np.float64)).sum()
    assert float(loss_fn(Tensor(real), Tensor(fake))) == pytest.approx(expected, rel=1e-4)
    expected = generator(-fake.astype(np.float64)).sum()
    assert float(loss_fn.generator(Tensor(-fake))) == pytest.approx(expected, rel=1e-4)


def test_shapes_that_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ValueError with both shapes, eager and compiled, where NumPy would broadcast to (3, 3)."""
    monkeypatch.chdir(tmp_path)  # a failed compilation leaves a file
    real, fake = Tensor(np.zeros((3, 1), np.float32)), Tensor(np.zeros(3, np.float32))
    for loss_fn in (LOSS(), ms.jit(LOSS())):
        with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,?\)"):
            loss_fn(real, fake)
