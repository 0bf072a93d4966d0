"""Players by specification: ``random``, ``search:sims=200``, ``process:seconds=5,python3 bot.py --x=1,2``.

A specification is a name, or a name, a colon and ``key=value`` pairs with commas between them. The options
of a player are the fields of its dataclass ``Options``; a field without a default is its **positional**
option, which comes last, without a key, and takes all the rest verbatim, commas included.
"""

import difflib
import types
from collections.abc import Iterable
from dataclasses import MISSING, Field, fields
from importlib import import_module
from typing import Literal, Union, get_args, get_origin, get_type_hints

from agents.player import Player
from dawn_env.support.extras import optional_imports

PLAYERS = {
    "random": ("agents.players.random", "RandomPlayer"),
    "greedy": ("agents.players.greedy", "GreedyPlayer"),
    "heuristic": ("agents.heuristic.player", "HeuristicPlayer"),
    "search": ("agents.search.player", "SearchPlayer"),
    "policy": ("agents.players.policy", "PolicyPlayer"),
    "pretrained": ("agents.players.policy", "PretrainedPlayer"),
    "human": ("agents.terminal.human", "HumanPlayer"),
    "process": ("agents.external.process", "ProcessPlayer"),
}
"""Module and class of each player; the module is imported when the player is asked for."""

_TRUTH = {"true": True, "false": False}
_NONE = "none"


class BadSpec(ValueError):
    """A specification that names no player; the message says what would be right."""


class UnknownPlayer(BadSpec):
    """No player has this name."""


class UnavailablePlayer(BadSpec):
    """The player cannot be loaded, mostly because it needs a package that is not installed."""


class BadOption(BadSpec):
    """An option the player does not have, or a value the option cannot take."""


def make_player(spec: str, seed: int = 0) -> Player:
    """The player that ``spec`` describes, its ``name`` the specification in canonical form.

    ``seed`` (at least 0) is all its choices depend on besides what it sees and its options. Raises
    ``BadSpec``, and whatever the player raises when it cannot start.
    """
    name, _, text = spec.partition(":")
    player_class = player_type(name)
    options = parse_options(name, player_class.Options, text)
    return player_class(canonical(name, options), seed, options)


def player_type(name: str) -> type[Player]:
    """The class registered as ``name``."""
    if name not in PLAYERS:
        raise UnknownPlayer(f"no player is called {name!r}; {_known(name, PLAYERS)}")
    module, attribute = PLAYERS[name]
    try:
        with optional_imports():
            return getattr(import_module(module), attribute)
    except ImportError as error:
        raise UnavailablePlayer(f"player {name!r} cannot be loaded: {error}") from error


def describe_players() -> list[tuple[str, str, str]]:
    """``(name, options with their defaults, one line)`` of every player that can be made here."""
    described = []
    for name in PLAYERS:
        try:
            player_class = player_type(name)
        except UnavailablePlayer as error:
            described.append((name, "", str(error)))
            continue
        first_line = (player_class.__doc__ or "").partition("\n")[0]
        described.append((name, _describe_options(player_class.Options), first_line))
    return described


def canonical(name: str, options) -> str:
    """The shortest specification with these options: those that differ from their defaults, as declared."""
    pairs = [
        f"{option.name}={_value_text(getattr(options, option.name))}"
        for option in _keyed(options)
        if getattr(options, option.name) != _default(option)
    ]
    pairs += [str(getattr(options, option.name)) for option in _positional(options)]
    return f"{name}:{','.join(pairs)}" if pairs else name


# --- reading -----------------------------------------------------------------------------------


def parse_options(name: str, options_class: type, text: str):
    """An instance of the dataclass from what follows the colon; raises ``BadOption``."""
    hints = get_type_hints(options_class)
    pairs, rest = _split(name, options_class, text)
    values = {key: _parse(f"{name}: {key}", hints[key], value) for key, value in pairs.items()}
    for option in _positional(options_class):
        if not rest:
            raise BadOption(f"{name}: {option.name} is missing; right would be {name}:{option.name.upper()}")
        values[option.name] = _parse(f"{name}: {option.name}", hints[option.name], rest)
    try:
        return options_class(**values)
    except ValueError as error:
        raise BadOption(f"{name}: {error}") from error


def _split(name: str, options_class: type, text: str) -> tuple[dict[str, str], str]:
    """The ``key=value`` pairs, and what is left for the positional option."""
    keys, positional = {option.name for option in _keyed(options_class)}, _positional(options_class)
    pairs: dict[str, str] = {}
    while text:
        segment, _, after = text.partition(",")
        key, equals, value = segment.partition("=")
        if not equals or key not in keys:
            if positional:
                break
            raise BadOption(_not_an_option(name, key if equals else segment, equals, keys))
        if key in pairs:
            raise BadOption(f"{name}: {key} is given twice")
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
        return _parse_optional(where, kind, text)
    if get_origin(kind) is Literal:
        return _one_of(where, text, {str(choice): choice for choice in get_args(kind)})
    if kind is bool:
        return _one_of(where, text, _TRUTH)
    try:
        return kind(text)
    except ValueError:
        wanted = {int: "an integer", float: "a number"}.get(kind, kind.__name__)
        raise BadOption(f"{where}: {wanted} expected, not {text!r}") from None


def _parse_optional(where: str, kind, text: str):
    inner = next(choice for choice in get_args(kind) if choice is not types.NoneType)
    return None if text == _NONE else _parse(where, inner, text)


def _one_of(where: str, text: str, choices: dict):
    if text not in choices:
        raise BadOption(f"{where}: {text!r} is not a value; {_known(text, choices)}")
    return choices[text]


def _known(word: str, names: Iterable[str]) -> str:
    """What would be right instead of ``word``."""
    names = list(names)
    near = difflib.get_close_matches(word, names, 1)
    return (f"did you mean {near[0]!r}? " if near else "") + f"known: {', '.join(names)}"


# --- fields of options -------------------------------------------------------------------------


def _default(option: Field):
    return option.default if option.default_factory is MISSING else option.default_factory()


def _keyed(options) -> list[Field]:
    return [option for option in fields(options) if _default(option) is not MISSING]


def _positional(options) -> list[Field]:
    """The one field without a default, or none."""
    return [option for option in fields(options) if _default(option) is MISSING]


def _value_text(value) -> str:
    if value is None:
        return _NONE
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _describe_options(options_class: type) -> str:
    words = [f"{option.name}={_value_text(_default(option))}" for option in _keyed(options_class)]
    return ",".join(words + [option.name.upper() for option in _positional(options_class)])
