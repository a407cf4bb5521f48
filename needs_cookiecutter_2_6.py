"""Say before the first question that cookiecutter or Python is too old.

``cookiecutter.json`` names this extension first. Cookiecutter before 2.0 does not look for it here, and
says that there is no module of this name.
"""

import sys

from cookiecutter import __version__
from jinja2.ext import Extension

if tuple(int(number) for number in __version__.split(".")[:2]) < (2, 6):
    raise ImportError(
        f"this template needs cookiecutter 2.6 or later, and this is {__version__}: "
        "pip install --upgrade cookiecutter"
    )
if sys.version_info < (3, 10):  # noqa: UP036 - cookiecutter 2.6 runs on 3.7
    raise ImportError("this template needs a cookiecutter that runs on Python 3.10 or later")


class Version(Extension):
    """Nothing: that it could be imported is all."""
