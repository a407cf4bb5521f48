"""Print what the renders depend on, so that one environment serves them all."""

import re

from . import ROOT


def dependencies() -> list[str]:
    """List the requirements in the project's ``pyproject.toml`` and in every choice's folder."""
    files = [ROOT / "{{cookiecutter.project_slug}}" / "pyproject.toml"]
    files += sorted((ROOT / "templates").rglob("dependencies*.txt"))
    found = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        found += re.findall(r'^    "([a-z0-9-]+[<>=\[][^"]*)",$', text, flags=re.MULTILINE)
    return sorted(set(found))


if __name__ == "__main__":
    print("\n".join(dependencies()))
