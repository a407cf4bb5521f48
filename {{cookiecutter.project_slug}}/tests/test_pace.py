"""How many steps a launch takes."""

from {{ cookiecutter.package_name }}.engine.pace import Pace


def test_launches_come_to_last_a_second():
    """By hand: compiling looks slow; then 1 step of 0.02 s, and 50 in 2 s; never above the most."""
    pace = Pace(True, 60)
    sizes = [pace.steps]
    for seconds in (9.0, 0.02, 2.0, 0.001):
        pace.took(pace.steps, seconds)
        sizes.append(pace.steps)
    assert sizes == [1, 1, 50, 25, 60]


def test_a_number_is_the_size():
    """Whatever a launch takes."""
    pace = Pace(False, 7)
    pace.took(7, 99.0)
    assert pace.steps == 7
