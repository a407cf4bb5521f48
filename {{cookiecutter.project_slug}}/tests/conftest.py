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


@pytest.fixture
def flags(dataset_flags: list[str]) -> list[str]:
    """Flags of a quick run, compiled, on the CPU, in float32."""
    return [*dataset_flags, "--device=CPU", "--execution=graph", "--precision=float32"]


@pytest.fixture
def config(flags: list[str]):
    """Settings of a quick run."""
    from {{ cookiecutter.package_name }}.config import read

    return read(overrides=[flag.removeprefix("--") for flag in flags])


@pytest.fixture
def short(config, tmp_path):
    """Settings of a run of {{ "two rollouts of a few copies" if cookiecutter.task == "reinforcement" else "three epochs of five steps" }}, in launches of two, in a fresh folder."""
{%% if cookiecutter.task == "reinforcement" %%}
    size = config.accumulation_steps * 32
    config.dataset.environments, config.dataset.rollout_steps = 4, 2 * size
    config.epochs, config.batch_size, config.passes = 3, 2 * size, 1
    config.evaluation_episodes, config.validation_every = 4, 1
{%% else %%}
    config.epochs, config.train_rows = 3, 5 * config.batch_size
{%% endif %%}
    config.steps_per_call, config.run_dir = 2, str(tmp_path / "short")
    return config


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
