"""Fixtures shared by the tests."""

{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/conftest.py" %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/conftest_" ~ cookiecutter.task ~ ".py" ignore missing %%}
{%% endfilter %%}


def pytest_configure() -> None:
    """Choose the CPU, which every developer has, before a test computes anything."""
    from {{ cookiecutter.package_name }}.engine import runtime

    runtime.set_device("CPU")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    """Say in a line what a file of tests pins, where that was replaced; the other files run."""
    import re

    report = yield
    gone = re.search(r"cannot import name '(\w+)' from '[\w.]+\.(\w+)'", str(report.longrepr))
    if report.failed and gone:
        report.longrepr = (
            f"{collector.name} pins {gone[1]}, which {gone[2]}.py came with and no longer has: "
            f"replace it with tests of yours"
        )
    return report


@pytest.fixture(scope="session")
def flags(dataset_flags: list[str]) -> list[str]:
    """Flags of a quick run, compiled, on the CPU, in float32."""
    return [*dataset_flags, "--device=CPU", "--execution=graph", "--precision=float32"]


@pytest.fixture
def config(flags: list[str]):
    """Settings of a quick run."""
    from {{ cookiecutter.package_name }}.config import read

    config = read(overrides=[flag.removeprefix("--") for flag in flags])
    config.log_every = 0  # a step then returns its losses alone
    return config


@pytest.fixture(scope="session")
def shortened(flags: list[str]):
    """Make settings of a run of three epochs of a few steps, in launches of two, with changes."""

    def shortened(**changes):
        from dataclasses import replace

        from kind import shorten

        from {{ cookiecutter.package_name }}.config import read

        config = read(overrides=[flag.removeprefix("--") for flag in flags])
        shorten(config)
        return replace(config, **{"epochs": 3, "steps_per_call": 2, "log_every": 0, **changes})

    return shortened


@pytest.fixture
def short(shortened, tmp_path):
    """Settings of such a run, in a fresh folder."""
    return shortened(run_dir=str(tmp_path / "short"))


@pytest.fixture
def counting():
    """Make a task that is known to the last number: see known.py."""
    from known import counting

    return counting


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
