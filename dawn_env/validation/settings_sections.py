"""Settings: frozen dataclasses read from tables of TOML or JSON, every key, type and number checked."""

import difflib
import math
import types
from collections.abc import Callable
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from dawn_env.errors import BadOptions
from dawn_env.options import GameOptions
from dawn_env.support.safe_text import quoted

_LARGEST = 2**53  # beyond it whole numbers and decimal ones part
_TYPES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
Section = TypeVar("Section")


class ConfigError(ValueError):
    """A setting that is missing, unknown or impossible; the message says what would be right."""


def read_section(name: str, kind: type[Section], table: Any) -> Section:
    """A dataclass from a table; keys left out take their defaults.

    The class has ``problems()``, what is wrong with its values in words. Raises ``ConfigError`` for unknown keys,
    values of another type, numbers that are not finite, and the first problem.
    """
    if not isinstance(table, dict):
        raise ConfigError(f"[{name}] is a table, not {quoted(table)}")
    hints = get_type_hints(kind)
    refuse_unknown(f"key in [{name}]", table, hints)
    section = kind(**{key: _value(f"{name}.{key}", hints[key], value) for key, value in table.items()})
    for problem in section.problems():
        raise ConfigError(f"{name}.{problem}")
    return section


def refuse_unknown(what: str, given: dict, known: dict) -> None:
    """Raise ``ConfigError`` for the first key that is not known, with the one that was perhaps meant."""
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key[:100], known, 1, 0)
            raise ConfigError(f"unknown {what}: {quoted(key)}; did you mean {near[0]!r}?")


def _value(where: str, kind: Any, value: Any):
    """``value`` if it is of the declared type; whole numbers pass where decimal ones are declared."""
    if get_origin(kind) is types.UnionType:
        kind = next(choice for choice in get_args(kind) if choice is not types.NoneType)
    if kind is GameOptions:
        return _game_options(where, value)
    if get_origin(kind) is dict:
        if not isinstance(value, dict):
            raise ConfigError(f"{where}: a table expected, not {quoted(value)}")
        return {key: _value(f"{where}.{quoted(key)}", get_args(kind)[1], item) for key, item in value.items()}
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise ConfigError(f"{where}: {_TYPES[kind]} expected, not {quoted(value)}")
    if kind in (int, float) and not (math.isfinite(value) if type(value) is float else abs(value) <= _LARGEST):
        raise ConfigError(f"{where}: {_TYPES[kind]} between -2**53 and 2**53 expected, not {quoted(value)}")
    return float(value) if kind is float else value


def _game_options(where: str, value: Any) -> GameOptions:
    try:
        return GameOptions.of(value)
    except BadOptions as error:
        raise ConfigError(f"{where}: {error}") from None


# --- what problems() can say ------------------------------------------------------------------------


def least(section, **bounds: float) -> list[str]:
    """A line for each field that is below its bound; None passes."""
    return _compare(section, lambda value, bound: value >= bound, "at least", bounds)


def most(section, **bounds: float) -> list[str]:
    """A line for each field that is above its bound; None passes."""
    return _compare(section, lambda value, bound: value <= bound, "at most", bounds)


def one_of(section, **choices: tuple[str, ...]) -> list[str]:
    """A line for each field that is none of its choices."""
    values = {name: getattr(section, name) for name in choices}
    return [
        f"{name}: {' or '.join(choices[name])} expected, not {quoted(value)}"
        for name, value in values.items()
        if value not in choices[name]
    ]


def _compare(section, right: Callable[[float, float], bool], words: str, bounds: dict[str, float]) -> list[str]:
    values = {name: getattr(section, name) for name in bounds}
    return [
        f"{name}: {words} {bounds[name]} expected, not {value}"
        for name, value in values.items()
        if value is not None and not right(value, bounds[name])
    ]
