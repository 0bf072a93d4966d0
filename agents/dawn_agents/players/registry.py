"""Players by ``specification``: ``random``, ``search:sims=200``, ``my_bots.fancy:Fancy:depth=3``."""

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from dawn_agents.players.player_sources import (
    OURS,
    declares_version,
    digest_of,
    files_of_module,
    files_of_program,
    is_outside,
)
from dawn_agents.players.specification import (
    BadSpec,
    Unavailable,
    canonical,
    check_class,
    describe_options,
    list_hint,
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
    "distilled": ("dawn_agents.players.sparse_player", "DistilledPlayer"),
    "sparse": ("dawn_agents.players.sparse_player", "SparsePolicies"),
    "value": ("dawn_agents.players.afterstate.value_player", "ValuePlayer"),
    "search": ("dawn_agents.players.search.search_player", "SearchPlayer"),
    "policy": ("dawn_agents.players.policy_player", "PolicyPlayer"),
    "sb3": ("dawn_agents.players.foreign_networks", "Sb3Player"),
    "torchscript": ("dawn_agents.players.foreign_networks", "TorchScriptPlayer"),
    "json": ("dawn_agents.players.view_readers", "JsonPlayer"),
    "text": ("dawn_agents.players.view_readers", "TextPlayer"),
    "human": ("dawn_agents.frontends.terminal.human_player", "HumanPlayer"),
    "process": ("dawn_agents.players.external.process_player", "ProcessPlayer"),
    "websocket": ("dawn_agents.players.external.websocket_player", "WebSocketPlayer"),
    "llm": ("dawn_agents.players.language.llm_player", "LlmPlayer"),
}
"""Module and class of each player with a name; the module is imported when the player is asked for."""
DESCRIPTIONS = {
    "random": "Uniform over the legal actions.",
    "greedy": "Takes the action after which the static evaluation is best on average over positions dealt anew.",
    "heuristic": "Values the board by country and time of year and each choice by what it changes; no look-ahead.",
    "pretrained": "The trained networks that come with the project, one for each side: compiled, without torch.",
    "distilled": "The networks of pretrained, fine-tuned by distillation of lookahead.",
    "sparse": "Policies of both sides that the learner sparse-ppo has made, compiled.",
    "value": "Tries every action on positions dealt anew and takes the one whose afterstate has the highest value.",
    "search": "Improves on a guide's choices by simulations, divided among the candidates by sequential halving.",
    "policy": "A policy file, on the side it was trained for.",
    "sb3": "A model of Stable-Baselines3: MaskablePPO, PPO, A2C, TRPO or DQN (its values serve as logits).",
    "torchscript": "A TorchScript module: float32 observations [K, F] and bool masks [K, A] in, logits [K, A] out.",
    "json": "Another player, json:PLAYER, that knows no more than the JSON of its view.",
    "text": "Another player, text:PLAYER, that knows no more than the text of its view; random unless named.",
    "human": "A person at the terminal, who types their actions.",
    "process": "A program that speaks the protocol of docs/reference/protocol.md on its standard input and output.",
    "websocket": "A program that listens at a ws:// or wss:// address and speaks the protocol there.",
    "llm": "A language model behind a server with the interface of OpenAI's chat completions.",
}
"""A line about each of them."""


LOOKING_AHEAD = frozenset({"greedy", "search", "value"})
"""Players that try actions on copies of the engine when they play; those from elsewhere have a true ``looks_ahead``."""


def looks_ahead(spec: str) -> bool:
    """Return True for a player that tries actions on copies of the engine when it plays; raises ``BadSpec``."""
    name, _ = split("player", PLAYERS, spec)
    if name in PLAYERS:
        return name in LOOKING_AHEAD
    return bool(getattr(load("player", PLAYERS, name), "looks_ahead", False))


def make_player(spec: str, seed: int = 0) -> Player:
    """The player that ``spec`` describes, its ``name`` the specification in canonical form.

    ``seed`` (at least 0) is all its choices depend on besides what it sees and its options. The version of a player
    that declares none follows from its files (``player_sources``) and those that its options name. Raises
    ``specification.BadSpec``, and whatever the player raises when it cannot start.
    """
    name, text = split("player", PLAYERS, spec)
    found = load("player", PLAYERS, name)
    if inspect.isfunction(found):
        player = _of_function(name, found, text)
        return _versioned(player, files_of_module(found.__module__) | _module_files(name))
    check_class("player", name, found, Player)
    try:
        options = parse_options(name, found.Options, text)
    except BadSpec as error:
        hint = list_hint(PLAYERS, spec)
        raise BadSpec(f"{error}; {hint}" if hint else str(error)) from error
    player = _of_class(name, found, seed, options)
    if name not in PLAYERS and is_outside(found.__module__):
        _versioned(player, files_of_module(found.__module__) | _module_files(name) | _named_files(options))
    return player


def _of_class(name: str, found: type[Player], seed: int, options: Any) -> Player:
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


def _versioned(player: Player, files: set[Path]) -> Player:
    """Set the version of ``player`` to a digest of its files, after a version that it has inherited or set."""
    if not declares_version(player):
        others = [player.version] if player.version != Player.version else []
        vars(player)["version"] = "+".join([*others, digest_of(files)]) or Player.version
    return player


def _module_files(name: str) -> set[Path]:
    """Files of the module of ``MODULE:CLASS``, which may have the class from another."""
    return files_of_module(name.partition(":")[0])


def _named_files(options: Any) -> set[Path]:
    """Files that are named by values of options."""
    values = [getattr(options, option.name) for option in fields(options)]
    paths = [Path(value) for value in values if isinstance(value, (str, Path)) and value]
    return {path.absolute() for path in paths if path.is_file()}


def source_of(spec: str) -> str:
    """Digest of the module of a player from elsewhere, or of the program of ``process``; empty for all others."""
    name, text = split("player", PLAYERS, spec)
    if name == "process":
        return digest_of(files_of_program(parse_options(name, load("player", PLAYERS, name).Options, text).command))
    if name in PLAYERS or not is_outside(name.partition(":")[0]):
        return ""
    load("player", PLAYERS, name)
    return digest_of(_module_files(name))


def files_of(specs: Iterable[str]) -> list[Path]:
    """Files below the working directory that players are made from: those that their options name, policies in folders
    that they name, and all modules.

    They are needed wherever the players are made. Paths are relative to the working directory.
    """
    words = {word for spec in specs for word in (*re.split(r"[:=,]", spec), *re.split(r"[:=,\s]", spec))}
    others = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] not in OURS]
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
        described.append((name, describe_options(player_class.Options), DESCRIPTIONS.get(name, "")))
    return described
