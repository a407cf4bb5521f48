"""The text of Python's own reference."""

from pydoc_data.topics import topics

from .config import Config
from .engine.kept import Kept
from .engine.rows import Dataset
from .text import split_text

NAME = "Python's reference"


def load(config: Config, kept: Kept | None = None) -> Dataset:
    """Return the topics of ``help()``, in English, as bytes in alphabetical order of their names.

    They are the larger part of the Python language reference and come with Python, about 466 kB in
    3.11. Another version of Python has another text, so results compare within one version only.
    """
    text = "\n".join(topics[name] for name in sorted(topics))
    settings = config.dataset
    return split_text(text.encode(), settings.length, settings.stride, NAME, kept)
