"""Players by ``specification``: ``random``, ``search:sims=200``, ``my_bots.fancy:Fancy:depth=3``."""

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from dawn_agents.specification import (
    BadSpec,
    Unavailable,
    canonical,
    check_class,
    describe_options,
    load,
    parse_options,
    split,
)
from dawn_env.players import Player, function_player

PLAYERS = {
    "random": ("dawn_env.players", "RandomPlayer"),
    "greedy": ("dawn_agents.players.greedy_player", "GreedyPlayer"),
    "heuristic": ("dawn_agents.players.heuristic_player", "HeuristicPlayer"),
    "pretrained": ("dawn_agents.players.sparse_player", "PretrainedPlayer"),
    "sparse": ("dawn_agents.players.sparse_player", "SparsePolicies"),
    "value": ("dawn_agents.afterstate.value_player", "ValuePlayer"),
    "search": ("dawn_agents.search.search_player", "SearchPlayer"),
    "policy": ("dawn_agents.players.policy_player", "PolicyPlayer"),
    "sb3": ("dawn_agents.players.foreign_networks", "Sb3Player"),
    "torchscript": ("dawn_agents.players.foreign_networks", "TorchScriptPlayer"),
    "human": ("dawn_agents.terminal.human_player", "HumanPlayer"),
    "process": ("dawn_agents.external.process_player", "ProcessPlayer"),
    "websocket": ("dawn_agents.external.websocket_player", "WebSocketPlayer"),
}
"""Module and class of each player with a name; the module is imported when the player is asked for."""
_OURS = ("dawn_agents", "dawn_env")


def make_player(spec: str, seed: int = 0) -> Player:
    """The player that ``spec`` describes, its ``name`` the specification in canonical form.

    ``seed`` (at least 0) is all its choices depend on besides what it sees and its options. Raises
    ``specification.BadSpec``, and whatever the player raises when it cannot start.
    """
    name, text = split("player", PLAYERS, spec)
    found = load("player", PLAYERS, name)
    if inspect.isfunction(found):
        return _of_function(name, found, text)
    check_class("player", name, found, Player)
    options = parse_options(name, found.Options, text)
    arguments = {"name": canonical(name, options), "seed": seed, "options": options}
    try:
        inspect.signature(found).bind(**arguments)
    except TypeError as error:
        raise BadSpec(f"{name}: a class of players takes name, seed and options; this one: {error}") from None
    return found(**arguments)


def _of_function(name: str, function: Callable, text: str) -> Player:
    if text:
        raise BadSpec(f"{name} takes no options, being a function, not {text!r}")
    try:
        return function_player(name, function)
    except ValueError as error:
        raise BadSpec(str(error)) from error


def files_of(specs: Iterable[str]) -> list[Path]:
    """Files below the working directory that players are made from: those that their options name, policies in folders
    that they name, and all modules.

    They are needed wherever the players are made. Paths are relative to the working directory.
    """
    words = {word for spec in specs for word in (*re.split(r"[:=,]", spec), *re.split(r"[:=,\s]", spec))}
    others = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] not in _OURS]
    modules = [getattr(module, "__file__", None) for module in others]
    policies = [path for word in filter(None, words) for path in Path(word).glob("*.zip")]
    found = {_below(Path(path)) for path in filter(None, [*words, *policies, *modules])}
    return sorted(path for path in found if path and "site-packages" not in path.parts)


def _below(path: Path) -> Path | None:
    """``path`` as seen from the working directory, if it is a file there."""
    here = Path.cwd()
    inside = path.is_file() and path.absolute().is_relative_to(here) and ".." not in path.parts
    return path.absolute().relative_to(here) if inside else None


def describe_players() -> list[tuple[str, str, str]]:
    """``(name, options with their defaults, one line)`` of every player that can be made here."""
    described = []
    for name in PLAYERS:
        try:
            player_class = load("player", PLAYERS, name)
        except Unavailable as error:
            described.append((name, "", str(error)))
            continue
        first_line = (player_class.__doc__ or "").partition("\n")[0]
        described.append((name, describe_options(player_class.Options), first_line))
    return described
