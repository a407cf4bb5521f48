"""Settings: dataclasses of pydantic, filled from files and overrides, with faults of one line."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from difflib import SequenceMatcher
from functools import reduce
from pathlib import Path
from re import compile as pattern
from typing import Any, TypeVar

import yaml
from pydantic import ConfigDict, ValidationError

from .errors import InputError

STRICT = ConfigDict(
    extra="forbid",
    strict=True,
    validate_assignment=True,
    allow_inf_nan=False,
    use_attribute_docstrings=True,
)
"""every value is checked, whoever sets it: True is no number, 2.0 no integer, NaN no rate"""

Settings = TypeVar("Settings")


class Loader(yaml.BaseLoader):
    """Reads every scalar as the text that it is, but a plain ``null`` as None.

    A name that stands twice in a mapping, of which YAML takes the last, is an error.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping in a node."""
        names: list[str] = []
        for key, _ in node.value:
            if key.value in names:
                twice = f"{key.value} stands there twice"
                raise yaml.constructor.ConstructorError(None, None, twice, key.start_mark)
            names.append(key.value)
        return super().construct_mapping(node, deep)


NULL = "tag:yaml.org,2002:null"
Loader.add_implicit_resolver(NULL, pattern("(~|null|Null|NULL|)$"), ["~", "n", "N", ""])
Loader.add_constructor(NULL, lambda loader, node: None)


def read(
    kind: type[Settings],
    files: Iterable[str | Path] = (),
    overrides: Mapping[str, Any] | Iterable[str | tuple[str, Any]] = (),
) -> Settings:
    """Fill ``kind``: its defaults, over them the files in turn, over them the overrides.

    Args:
        kind: a dataclass of settings; one that it holds is a group.
        files: YAML files.
        overrides: values by dotted name, or texts ``"name=value"``. A value is as it is typed on
            the command line, where a number is only a number if the setting takes one.

    Raises:
        InputError: a file that cannot be read, an unknown setting or a value that it does not take.
    """
    settings = kind()
    for path in files:
        for name, value in load(path):
            put(settings, name, value, f"{path}: ")
    pairs = overrides.items() if isinstance(overrides, Mapping) else overrides
    for pair in pairs:
        name, value = pair.partition("=")[::2] if isinstance(pair, str) else pair
        put(settings, name, value)
    return settings


def load(path: str | Path) -> Iterator[tuple[str, Any]]:
    """Yield the dotted name and the value of every setting in a YAML file."""
    try:
        content = yaml.load(Path(path).read_text(encoding="utf-8"), Loader)
    except (OSError, UnicodeError, RecursionError, yaml.YAMLError) as error:
        raise InputError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict | None):
        raise InputError(f"{path} holds {content!r}: write settings, as epochs: 3")
    yield from flat(content or {})


def flat(tree: Mapping[Any, Any], group: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted name and the value of every leaf."""
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, f"{group}{name}.")
        else:
            yield f"{group}{name}", value


def put(settings: Any, name: str, value: Any, where: str = "") -> None:
    """Set the setting called ``name``: text as it stands or, if it takes none, as a number."""
    if name not in names(settings):
        raise InputError(where + unknown(settings, name, value))
    *groups, field = name.split(".")
    owner = reduce(getattr, groups, settings)
    for meant in (value, literal(value)):
        if isinstance(meant, int) and abs(meant) >= 2**63:
            raise InputError(f"{where}{name} is {value}: a number has 64 bits at most")
        try:
            return setattr(owner, field, meant)
        except ValidationError as error:
            faults = [fault["msg"][:1].lower() + fault["msg"][1:] for fault in error.errors()]
    raise InputError(f"{where}{name} is {value or repr(value)}: {' or '.join(faults)}")


def literal(value: Any) -> Any:
    """Turn the text of a number or of a truth value into it."""
    if value in ("true", "false"):
        return value == "true"
    for kind in (int, float) if isinstance(value, str) else ():
        with suppress(ValueError):
            return kind(value)
    return value


def names(settings: Any) -> dict[str, Any]:
    """Return every setting and its value, by dotted name."""
    found: dict[str, Any] = {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if is_dataclass(value):
            found |= {f"{field.name}.{name}": inner for name, inner in names(value).items()}
        else:
            found[field.name] = value
    return found


def unknown(settings: Any, name: str, value: Any = None) -> str:
    """Say in a line which setting was probably meant by ``name``."""
    inside = [other for other in names(settings) if other.startswith(f"{name}.")]
    if inside:
        return f"{name} is {value!r}: it is a group of settings ({', '.join(inside)})"
    nearest = max(names(settings), key=lambda other: likeness(name, other))
    return f"there is no setting {name}; nearest: {nearest}"


def likeness(typed: str, name: str) -> float:
    """Say how alike two names are, where ``lr`` is like ``learning_rate``: its letters, in turn."""
    match = SequenceMatcher(None, typed, name)
    shared = sum(block.size for block in match.get_matching_blocks())
    return match.ratio() + shared / max(len(typed), 1)
