"""Fixtures shared by the tests."""

{%% filter replace("from package", "from " ~ cookiecutter.package_name) %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/conftest.py" %%}
{%% include "dataset/" ~ cookiecutter.__dataset ~ "/conftest_" ~ cookiecutter.task ~ ".py" ignore missing %%}
{%% endfilter %%}


@pytest.fixture
def config(flags: list[str]):
    """Settings of a quick run."""
    from {{ cookiecutter.package_name }} import __main__ as cli

    parser = cli.add_settings(cli.Parser())
    return cli.settings(parser.instantiate(parser.parse_args(flags)))
