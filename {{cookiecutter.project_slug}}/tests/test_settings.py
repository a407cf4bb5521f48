"""What is typed is what is meant, there and back; whatever is wrong is named in one line."""

from dataclasses import asdict, field
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from pydantic import PositiveFloat, PositiveInt, ValidationError
from pydantic.dataclasses import dataclass

from {{ cookiecutter.package_name }}.config import Config, read
from {{ cookiecutter.package_name }}.engine import settings
from {{ cookiecutter.package_name }}.engine.errors import InputError
from {{ cookiecutter.package_name }}.engine.settings import STRICT

DEFAULTS = settings.names(Config())
PRESETS = Path(__file__).parents[1] / "configs"


@dataclass(config=STRICT)
class Inner:
    """A group."""

    learning_rate: PositiveFloat = 0.1
    """a number"""
    nesterov: bool = False
    """a truth value"""


@dataclass(config=STRICT)
class Outer:
    """One setting of every kind."""

    epochs: PositiveInt = 3
    """a whole number"""
    rows: PositiveInt | None = None
    """a whole number or none"""
    calls: Literal["auto"] | PositiveInt = "auto"
    """a word or a whole number"""
    channels: Literal[1, 3] = 3
    """one of two numbers"""
    path: str = "data.csv"
    """text"""
    label: str | None = None
    """text or none"""
    optimizer: Inner = field(default_factory=Inner)


TEXTS = ["#price", "&y", "*y", "~", "null", "None", "true", "2019", "1e3", "1e-3", "#1", "", " a "]
TEXTS += ["a: b", "- a", "[x", "{x", "'q", '"', "0x1f", "12:30", "=", "<<", "价格", "a\nb"]


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_what_was_typed(text: str, tmp_path: Path):
    """From the command line, and again from the ``config.yaml`` that a run writes of it."""
    typed = settings.read(Outer, overrides=[f"label={text}", f"path={text}"])
    assert (typed.label, typed.path) == (text, text)
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(asdict(typed), sort_keys=False), encoding="utf-8")
    assert settings.read(Outer, [path]) == typed


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("label: 2019", "label", "2019"),
        ("label: 1e3", "label", "1e3"),
        ("label: 007", "label", "007"),
        ("label: yes", "label", "yes"),
        ("label: 2020-01-02", "label", "2020-01-02"),
        ("label: null", "label", None),
        ("label: ~", "label", None),
        ("label:", "label", None),
        ("label: 'null'", "label", "null"),
        ("label: ''", "label", ""),
        ("label: !!int 3", "label", "3"),
        ("epochs: 12", "epochs", 12),
        ("rows: null", "rows", None),
        ("calls: auto", "calls", "auto"),
        ("calls: 7", "calls", 7),
        ("channels: 1", "channels", 1),
        ("optimizer: {learning_rate: 1e-3}", "optimizer.learning_rate", 0.001),
        ("optimizer.learning_rate: .5", "optimizer.learning_rate", 0.5),
        ("optimizer: {nesterov: true}", "optimizer.nesterov", True),
        ("optimizer: {learning_rate: 2}", "optimizer.learning_rate", 2.0),
    ],
)
def test_a_file_means_what_its_fields_take(line: str, name: str, value: object, tmp_path: Path):
    """A scalar in a file is text, until the field takes a number; a plain null is None."""
    path = tmp_path / "my.yaml"
    path.write_text(line + "\n", encoding="utf-8")
    found = settings.names(settings.read(Outer, [path]))[name]
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("epochs=0", "epochs is 0: input should be greater than 0"),
        ("epochs=2.0", "epochs is 2.0: input should be a valid integer"),
        ("epochs=1e3", "epochs is 1e3: input should be a valid integer"),
        ("epochs=true", "epochs is true: input should be a valid integer"),
        ("epochs=", "epochs is '': input should be a valid integer"),
        (("epochs", True), "epochs is True: input should be a valid integer"),
        (("epochs", 2.0), "epochs is 2.0: input should be a valid integer"),
        (("epochs", None), "epochs is None: input should be a valid integer"),
        ("rows=none", "rows is none: input should be a valid integer"),
        ("calls=0", "calls is 0: input should be 'auto' or input should be greater than 0"),
        ("channels=2", "channels is 2: input should be 1 or 3"),
        (("path", 3), "path is 3: input should be a valid string"),
        ("optimizer.learning_rate=nan", "is nan: input should be a finite number"),
        ("optimizer.learning_rate=inf", "is inf: input should be a finite number"),
        ("optimizer.learning_rate=-1", "is -1: input should be greater than 0"),
        ("optimizer.nesterov=maybe", "is maybe: input should be a valid boolean"),
        ("optimizer.lr=1", "there is no setting optimizer.lr; nearest: optimizer.learning_rate"),
        ("lr=1", "there is no setting lr; nearest: optimizer.learning_rate"),
        ("epohcs=1", "there is no setting epohcs; nearest: epochs"),
        ("epochs.x=1", "there is no setting epochs.x; nearest: epochs"),
        ("optimizer=sgd", "optimizer is 'sgd': it is a group of settings (optimizer.learning_r"),
        (("optimizer", None), "optimizer is None: it is a group of settings"),
    ],
)
def test_a_fault_is_one_line(override: str | tuple[str, object], message: str):
    """It names the setting, the value and what would work."""
    with pytest.raises(InputError) as fault:
        settings.read(Outer, overrides=[override])
    assert message in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epochs: many\n", "my.yaml: epochs is many: input should be a valid integer"),
        ("epochs: [1]\n", "my.yaml: epochs is ['1']: input should be a valid integer"),
        ("epohcs: 3\n", "my.yaml: there is no setting epohcs; nearest: epochs"),
        ("optimizer: null\n", "my.yaml: optimizer is None: it is a group of settings"),
        ("path: null\n", "my.yaml: path is None: input should be a valid string"),
        ("epochs: [\n", "my.yaml cannot be read"),
        ("a: &x [*x]\n", "my.yaml cannot be read"),
        ("- epochs\n", "my.yaml holds ['epochs']: write settings"),
        ("[" * 5000, "my.yaml cannot be read"),
    ],
)
def test_a_fault_in_a_file_names_the_file(text: str, message: str, tmp_path: Path):
    """Checked like the flags."""
    path = tmp_path / "my.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as fault:
        settings.read(Outer, [path])
    assert message in str(fault.value)


def test_later_files_and_overrides_win(tmp_path: Path):
    """Defaults, then files in their order, then overrides in theirs."""
    for name, text in (("a", "epochs: 5\nrows: 5\npath: a"), ("b", "epochs: 6\nrows: null")):
        (tmp_path / name).write_text(text)
    found = settings.read(Outer, [tmp_path / "a", tmp_path / "b"], ["epochs=7", "epochs=8"])
    assert (found.epochs, found.rows, found.path) == (8, None, "a")
    assert settings.read(Outer, (), {"optimizer.learning_rate": 0.5}).optimizer.learning_rate == 0.5
    assert settings.read(Outer) == Outer(), "reading changes no default"


def test_groups_hold_groups(tmp_path: Path):
    """A setting of a group in a group is set by its whole name, and by a file."""

    @dataclass(config=STRICT)
    class Outermost:
        outer: Outer = field(default_factory=Outer)

    (tmp_path / "a").write_text("outer: {optimizer: {nesterov: true}}")
    found = settings.read(Outermost, [tmp_path / "a"], ["outer.optimizer.learning_rate=0.5"])
    assert found.outer.optimizer == Inner(0.5, True)


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("epochs: 1\nrows: 2\nepochs: 3", "epochs", 3),
        ("optimizer:\n  nesterov: true\n  nesterov: false", "nesterov", 3),
        ("{epochs: 1, epochs: 1}", "epochs", 1),
    ],
)
def test_setting_that_stands_twice_is_refused(text: str, name: str, line: int, tmp_path: Path):
    """YAML alone takes the last one; the line of the second is named."""
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(InputError, match=rf"{name} stands there twice .*line {line},"):
        settings.read(Outer, [tmp_path / "a.yaml"])


def test_values_are_checked_whoever_sets_them():
    """In a notebook as on the command line."""
    outer = Outer()
    for name, value in (("epochs", 0), ("epochs", True), ("nothing", 1), ("optimizer", "sgd")):
        with pytest.raises(ValidationError):
            setattr(outer, name, value)
        with pytest.raises(ValidationError):
            Outer(**{name: value})
    with pytest.raises(ValidationError):
        outer.optimizer.learning_rate = float("nan")
    assert outer == Outer()


def other(name: str, value: object) -> object:
    """A value that differs from the default of a setting of ``Config``, and that it takes."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return value / 2 if value else 0.5
    for candidate in (1, 2, 3, "text", "pynative", "Ascend", ";", ",", "present"):
        try:
            if candidate != value and read((), {name: candidate}) != Config():
                return candidate
        except InputError:
            continue
    raise AssertionError(f"no other value for {name}")


@pytest.mark.parametrize("name", DEFAULTS)
def test_every_setting_can_be_changed_and_read_back(name: str, tmp_path: Path):
    """It has help, a flag's text sets it, and ``config.yaml`` brings it back."""
    group, _, own = name.rpartition(".")
    owner: Any = getattr(Config(), group) if group else Config()
    assert owner.__pydantic_fields__[own].description
    value = other(name, DEFAULTS[name])
    changed = read(overrides=[f"{name}={value}".replace("True", "true").replace("False", "false")])
    assert settings.names(changed) == DEFAULTS | {name: value}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(asdict(changed)), encoding="utf-8")
    assert read([tmp_path / "config.yaml"]) == changed


def test_default_file_is_the_defaults():
    """Training with ``configs/default.yaml`` is training without it, and it has every setting."""
    assert read([PRESETS / "default.yaml"]) == Config()
    text = (PRESETS / "default.yaml").read_text(encoding="utf-8")
    assert dict(settings.flat(yaml.safe_load(text))).keys() == DEFAULTS.keys()


def test_debug_file_is_read():
    """Its settings are settings of this project."""
    assert read([PRESETS / "debug.yaml"]).execution == "pynative"


@pytest.mark.parametrize("name", ["epochs", "keep_states", "batch_size"])
def test_number_that_fits_nowhere_is_refused(name: str):
    """Thirty nines are no size of anything; the line names the setting."""
    with pytest.raises(InputError, match=f"{name} is 9+: a number has 64 bits at most"):
        read(overrides={name: "9" * 30})
