"""Fixtures shared by the tests."""

{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/conftest.py" %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/conftest_" ~ cookiecutter.task ~ ".py" ignore missing %%}
{%% endfilter %%}


def pytest_configure() -> None:
    """Choose the CPU, which every developer has, before a test computes anything."""
    from {{ cookiecutter.package_name }}.engine import runtime

    runtime.set_device("CPU")


@pytest.fixture
def flags(dataset_flags: list[str]) -> list[str]:
    """Flags of a quick run, compiled, on the CPU."""
    return [*dataset_flags, "--device=CPU", "--execution=graph"]


@pytest.fixture
def config(flags: list[str]):
    """Settings of a quick run."""
    from {{ cookiecutter.package_name }} import __main__ as cli

    parser = cli.add_settings(cli.Parser())
    return cli.settings(parser.instantiate(parser.parse_args(flags)))


@pytest.fixture(params=["eager", "compiled"])
def run(request: pytest.FixtureRequest, eager: None):
    """Leave a function eager, or compile it."""
    import mindspore as ms

    return ms.jit if request.param == "compiled" else lambda function: function


@pytest.fixture
def eager() -> None:
    """Run eagerly, whatever mode another test has left."""
    import mindspore as ms

    ms.set_context(mode=ms.PYNATIVE_MODE)
