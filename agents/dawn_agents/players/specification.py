"""Specifications: what a player or a learner is named by, and how their options are read and written.

``NAME``, or ``MODULE:CLASS`` for one that is not registered under a name; behind another colon ``key=value`` pairs
with commas between them: ``random``, ``search:sims=200``, ``my_bots.fancy:Fancy:depth=3``. A registered name goes
first, so a module that is called like one can be named only inside a package.

The options are the fields of the dataclass ``Options`` of the class; a field without a default is its **positional**
option, which comes last, without a key, and takes all the rest verbatim, commas included:
``process:seconds=5,python3 bot.py --x=1,2``.
"""

import difflib
import os
import re
import sys
import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from importlib import import_module
from math import isfinite
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dawn_env.errors import DawnError
from dawn_env.support.optional_packages import optional_imports

_TRUTH = {"true": True, "false": False}
_NONE = "none"
_WORD = r"[^\W\d]\w*"
_MEANT = re.compile(rf"(?:\./)?((?:{_WORD}[./])*{_WORD})([:.])({_WORD})(:.*)?", re.DOTALL)
_OUTSIDE = re.compile(rf"({_WORD}(?:\.{_WORD})*:{_WORD})(?::(.*))?", re.DOTALL)


class BadSpec(DawnError, ValueError):
    """A specification that names nothing; the message says what would be right."""


class Unavailable(BadSpec):
    """Player that cannot be loaded, mostly because a package is not installed."""


Table = Mapping[str, tuple[str, str]]
"""Module and class by name; the module is imported when it is asked for."""


def split(kind: str, table: Table, specification: str) -> tuple[str, str]:
    """Split a specification into player name (or ``MODULE:CLASS``) and the text behind the colon; raises ``BadSpec``.

    ``kind``: what is named, for messages.
    """
    name, _, text = specification.partition(":")
    if name in table:
        return name, text
    if outside := _OUTSIDE.fullmatch(specification):
        return outside[1], outside[2] or ""
    hint = list_hint(table, specification) or _class_hint(specification)
    hint = hint or (_file_hint(name) if kind == "player" else "")
    raise BadSpec(f"no {kind} is called {name!r}; {hint or f'{_known(name, table)}, or MODULE:CLASS'}")


def list_hint(table: Table, specification: str) -> str:
    """Hint for names with commas between or behind them; empty for anything else."""
    names = [name.strip() for name in specification.split(",") if name.strip()]
    several = "," in specification and names and all(name.partition(":")[0] in table for name in names)
    return f"names are separated by spaces alone: {' '.join(names)}" if several else ""


def _class_hint(specification: str) -> str:
    """Hint for a class named by a file, or by dots alone; empty for anything else."""
    if found := _MEANT.fullmatch(specification.replace(".py:", ":", 1)):
        module, separator, attribute, options = found.groups("")
        if separator == ":" or attribute[0].isupper():
            meant = f"{module.replace('/', '.')}:{attribute}{options}"
            return f"did you mean {meant!r}?"
    return ""


def _file_hint(name: str) -> str:
    """Hint how to name a file or a command line as a player; empty for other words."""
    if name.endswith(".zip"):
        return "a file of a policy is policy:FILE, a model of Stable-Baselines3 sb3:FILE"
    if " " in name or "/" in name or name.endswith((".js", ".py")):
        return "a program is process:COMMAND, such as 'process:node bot.js'; a class in Python is MODULE:CLASS"
    return ""


def load(kind: str, table: Table, name: str) -> Any:
    """Look up a name of ``split``; raises ``Unavailable`` and ``BadSpec``."""
    if name not in table:
        return _load_outside(kind, table, *name.split(":"))
    module, attribute = table[name]
    try:
        with optional_imports():
            return getattr(import_module(module), attribute)
    except ImportError as error:
        raise Unavailable(f"{kind} {name!r} cannot be loaded: {error}") from error


def _load_outside(kind: str, table: Table, module: str, attribute: str) -> Any:
    """Load an attribute of a module; modules in the working directory are found as well."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise Unavailable(f"{kind} {module}:{attribute} cannot be loaded: {error}") from error
        known = f"; {_known(module, table)}" if table else ""
        raise BadSpec(f"no {kind} and no module in {os.getcwd()} is called {module!r}{known}") from error
    except Exception as error:  # whatever the module does
        raise Unavailable(f"{kind} {module}:{attribute} cannot be loaded: {type(error).__name__}: {error}") from error
    try:
        return getattr(loaded, attribute)
    except AttributeError as error:
        near = difflib.get_close_matches(attribute, dir(loaded), 1)
        raise BadSpec(str(error) + (f"; did you mean {near[0]!r}?" if near else "")) from error


def check_class(kind: str, name: str, found: Any, base: type) -> None:
    """Raise ``BadSpec`` unless ``found`` is a class derived from ``base`` that has all its methods."""
    if not isinstance(found, type) or not issubclass(found, base):
        raise BadSpec(f"{name} is no {kind}: a class derived from {base.__name__} expected")
    if missing := ", ".join(sorted(getattr(found, "__abstractmethods__", ()))):
        raise BadSpec(f"{name} is no {kind} yet: it has no {missing}")


def canonical(name: str, options) -> str:
    """The shortest specification with these options: those that differ from their defaults, as declared."""
    pairs = [
        f"{option.name}={_value_text(getattr(options, option.name))}"
        for option in _keyed(options)
        if getattr(options, option.name) != _default(option)
    ]
    rest = [(str(getattr(options, option.name)), _default(option)) for option in _positional(options)]
    pairs += [text for text, default in rest if text != default]
    return f"{name}:{','.join(pairs)}" if pairs else name


# --- reading -----------------------------------------------------------------------------------


def parse_options(name: str, options_class: type, text: str):
    """An instance of the dataclass from what follows the colon; raises ``BadSpec``."""
    hints = get_type_hints(options_class)
    pairs, rest = _split(name, options_class, text)
    values = {key: _parse(f"{name}: {key}", hints[key], value) for key, value in pairs.items()}
    for option in _positional(options_class):
        if not rest and _default(option) is not MISSING:
            continue
        if not rest:
            raise BadSpec(f"{name}: {option.name} is missing; right would be {name}:{option.name.upper()}")
        values[option.name] = _parse(f"{name}: {option.name}", hints[option.name], rest)
    try:
        return options_class(**values)
    except ValueError as error:
        raise BadSpec(f"{name}: {error}") from error


def _split(name: str, options_class: type, text: str) -> tuple[dict[str, str], str]:
    """The ``key=value`` pairs, and what is left for the positional option.

    ``WORDS`` of the class: pairs by the words that stand for them.
    """
    keys, positional = {option.name for option in _keyed(options_class)}, _positional(options_class)
    words = getattr(options_class, "WORDS", {})
    pairs: dict[str, str] = {}
    while text:
        segment, comma, after = text.partition(",")
        if comma or not positional:
            segment = words.get(segment, segment)
        key, equals, value = segment.partition("=")
        if not equals or key not in keys:
            if positional:
                break
            raise BadSpec(_not_an_option(name, key if equals else segment, equals, keys))
        if key in pairs:
            raise BadSpec(f"{name}: {key} is given twice")
        pairs[key], text = value, after
    return pairs, text


def _not_an_option(name: str, key: str, equals: str, keys: set[str]) -> str:
    if not keys:
        return f"{name} takes no options, not {key!r}"
    if not equals and key in keys:
        return f"{name}: {key} needs a value: {key}=..."
    return f"{name} has no option {key!r}; {_known(key, sorted(keys))}"


def _parse(where: str, kind, text: str):
    """``text`` as a value of the annotated type ``kind``."""
    if get_origin(kind) in (Union, types.UnionType):
        if text == _NONE:
            return None
        kind = next(choice for choice in get_args(kind) if choice is not types.NoneType)
    if kind is bool or get_origin(kind) is Literal:
        choices = _TRUTH if kind is bool else {str(choice): choice for choice in get_args(kind)}
        if text not in choices:
            raise BadSpec(f"{where}: {text!r} is not a value; {_known(text, choices)}")
        return choices[text]
    try:
        value = kind(text)
        if kind is float and not isfinite(value):
            raise ValueError(text)
    except ValueError:
        wanted = {int: "an integer", float: "a finite number"}.get(kind, kind.__name__)
        raise BadSpec(f"{where}: {wanted} expected, not {text!r}") from None
    return value


def _known(word: str, names: Iterable[str]) -> str:
    """Suggestion in place of ``word``."""
    names = list(names)
    near = difflib.get_close_matches(word, names, 1)
    return (f"did you mean {near[0]!r}? " if near else "") + f"known: {', '.join(names)}"


# --- fields of options -------------------------------------------------------------------------


def _default(option: Field):
    return option.default if option.default_factory is MISSING else option.default_factory()


def _keyed(options) -> list[Field]:
    return [option for option in fields(options) if option not in _positional(options)]


def _positional(options) -> list[Field]:
    """The one field that takes the rest, or none: it has no default, or ``metadata={"rest": True}``."""
    return [option for option in fields(options) if _default(option) is MISSING or option.metadata.get("rest")]


def _value_text(value) -> str:
    if value is None:
        return _NONE
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)


def describe_options(options_class: type) -> str:
    """The options with their defaults, as they would be written."""
    words = [f"{option.name}={_value_text(_default(option))}" for option in _keyed(options_class)]
    rest = [(option.name.upper(), _default(option) is MISSING) for option in _positional(options_class)]
    return ",".join(words + [name if needed else f"[{name}]" for name, needed in rest])
