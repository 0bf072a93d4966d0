"""Answers requests about games. A request is carried out as a whole, or refused and nothing has changed."""

import base64
import codecs
import json
import logging
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, BinaryIO, Literal

import numpy as np
from annotated_types import Interval, MinLen

from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_env import engine
from dawn_env.actions import ACTIONS, ALL_ACTIONS
from dawn_env.bids import is_bid
from dawn_env.errors import DawnError
from dawn_env.formats.determinization import game_of_world
from dawn_env.formats.printed_data import printed_data, printed_name
from dawn_env.host.host import Host
from dawn_env.observation.view_layouts import ViewLayout, layout_for_players
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player
from dawn_env.state import DECISIONS, ERRORS, RESULTS, Decision, new_states, put_states, take_states
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.tables import SIDE_NAMES, SIDES
from dawn_env.validation.checked_input import keyed, read, refuse_unknown
from dawn_env.validation.untrusted_json import parse_json
from dawn_env.views.named_parts import named_view

VERSION = 1
"""Of requests and answers; goes up when a program written for the one before would no longer work."""

MOST_OBSERVED = 1024
"""Observations in one answer."""

PLAYOUT_PLAYERS = ("pretrained", "heuristic", "random")
"""Players of play-outs, the first if none is named; options may follow, as in ``heuristic:level=3``."""

_FORMS = ("vector", "base64", "view")
_SIDES, _DECISIONS, _RESULTS = (np.array(names, object) for names in (SIDE_NAMES, DECISIONS, RESULTS))

Answer = dict[str, Any]


def _numbers(most: int) -> Any:
    """Type of one or more integers 0 ... ``most``."""
    return Annotated[list[Annotated[int, Interval(ge=0, le=most)]], MinLen(1)]


_GAMES, _SEEDS, _SIDE = {"games": _numbers(2**31 - 1)}, {"seeds": _numbers(2**63 - 1)}, {"side": Literal[SIDE_NAMES]}


class EngineService:
    """Up to ``most`` games at a time, for one program; a number takes memory once there has been a game of it."""

    def __init__(self, most: int):
        self._most = most
        self._states, self._used = new_states(most), np.zeros(most, np.bool_)
        self._commands: dict[str, tuple[Callable[[dict], Answer], dict, dict]] = {
            "hello": (self._hello, {}, {}),
            "data": (self._data, {}, {}),
            "new": (self._new, _SEEDS, {"rules": GameOptions}),
            "load": (self._load, {"world": str} | _SEEDS, {}),
            "position": (self._position, _GAMES, {}),
            "step": (self._step, _GAMES | {"actions": _numbers(ALL_ACTIONS - 1)}, {}),
            "copy": (self._copy, _GAMES, {}),
            "redeal": (self._redeal, _GAMES | _SIDE | _SEEDS, {}),
            "observe": (self._observe, _GAMES, _SIDE | {"as": Literal[_FORMS]}),
            "playout": (self._playout, _GAMES | _SEEDS, _SIDE | {"player": str}),
            "free": (self._free, {"games": Any}, {}),
        }
        self._kinds = {command: keyed(needed, optional) for command, (_, needed, optional) in self._commands.items()}

    def answer(self, request: object) -> Answer:
        """The answer, or ``{"error": text}``; with the ``id`` of the request, if it has one."""
        name = request.get("id") if isinstance(request, dict) else None
        try:
            answer = self._carry_out(request)
        except (DawnError, ValueError) as error:
            answer = {"error": str(error)}
        return answer if name is None else {"id": name} | answer

    def _carry_out(self, request: object) -> Answer:
        command = request.get("command") if isinstance(request, dict) else None
        if not isinstance(command, str) or command not in self._commands:
            raise ValueError(f"a command of {', '.join(self._commands)} expected, not {short_repr(command)}")
        act, needed, optional = self._commands[command]
        given = {key: value for key, value in request.items() if key not in ("command", "id")}
        refuse_unknown(f"key of {command}", given, [*needed, *optional])
        return act(read(self._kinds[command], given))

    # --- about the engine ------------------------------------------------------------------------

    def _hello(self, _: dict) -> Answer:
        return {"engine": "dawn_env", "version": VERSION, "most_games": self._most, "data": printed_name()}

    def _data(self, _: dict) -> Answer:
        return {"data": printed_data()}

    # --- games that begin and end ----------------------------------------------------------------

    def _new(self, request: dict) -> Answer:
        seeds = np.array(request["seeds"])
        options = request.get("rules", STANDARD)
        self._check_room(len(seeds))
        states = new_states(len(seeds))
        engine.reset(states, seeds, options)
        return self._added(states)

    def _load(self, request: dict) -> Answer:
        """A deal for each seed of what a bot was given as ``world``."""
        game = game_of_world(request["world"])
        seeds = np.array(request["seeds"])
        self._check_room(len(seeds))
        states = take_states(game.states, np.zeros(len(seeds), np.int64))
        return self._added(engine.redeal(states, game.actor, seeds))

    def _copy(self, request: dict) -> Answer:
        games = self._wanted(request)
        self._check_room(len(games))
        return self._added(take_states(self._states, games))

    def _redeal(self, request: dict) -> Answer:
        """Redeal the hidden cards of a side into new games; one game may be dealt by many seeds."""
        games, seeds, viewer = self._wanted(request), np.array(request["seeds"]), SIDE_NAMES.index(request["side"])
        if len(games) == 1:
            games = np.repeat(games, len(seeds))
        if len(games) != len(seeds):
            raise ValueError(f"seeds: as many as games expected, or one game, not {len(seeds)} for {len(games)}")
        self._check_room(len(seeds))
        return self._added(engine.redeal(take_states(self._states, games), viewer, seeds))

    def _playout(self, request: dict) -> Answer:
        """Play games to their ends, once for each seed, without changing them."""
        games, seeds = self._wanted(request), np.array(request["seeds"])
        player = _playout_player(request.get("player", PLAYOUT_PLAYERS[0]))
        if len(games) * len(seeds) > self._most:
            raise ValueError(f"seeds: at most {self._most} play-outs at a time expected")
        states = take_states(self._states, games)
        viewers = _viewers(request, states)
        ends = [_playouts(states[at : at + 1], int(viewers[at]), seeds, player) for at in range(len(games))]
        return {key: [end[key] for end in ends] for key in ("result", "vp")}

    def _check_room(self, count: int) -> None:
        """Raise ``ValueError`` unless there is room for ``count`` more games."""
        kept = np.count_nonzero(self._used)
        if count > self._most - kept:
            raise ValueError(f"no room for {count} more games: {kept} of at most {self._most} are kept; free some")

    def _added(self, states: np.ndarray) -> Answer:
        """Keep ``states`` [K] as games, for which there is room, under the lowest free numbers."""
        _check_sound(states)
        numbers = np.flatnonzero(~self._used)[: len(states)]
        put_states(self._states, numbers, states)
        self._used[numbers] = True
        return {"games": numbers.tolist()} | _positions(states)

    def _free(self, request: dict) -> Answer:
        games = slice(None) if request["games"] == "all" else self._wanted(read(self._kinds["position"], request))
        self._used[games] = False
        return {"kept": int(np.count_nonzero(self._used))}

    # --- games in progress -----------------------------------------------------------------------

    def _position(self, request: dict) -> Answer:
        return _positions(take_states(self._states, self._wanted(request)))

    def _step(self, request: dict) -> Answer:
        games, actions = self._wanted(request), np.array(request["actions"])
        if len(actions) != len(games):
            raise ValueError(f"actions: as many as games expected, not {len(actions)} for {len(games)}")
        if len(np.unique(games)) < len(games):
            raise ValueError("games: each at most once expected, as one decision is taken in each")
        states = take_states(self._states, games)
        legal = _masks(states)[np.arange(len(games)), actions]
        if not legal.all():
            at = int(np.flatnonzero(legal == 0)[0])
            raise ValueError(_illegal(int(games[at]), int(actions[at]), states[at]))
        engine.advance(states, actions)
        _check_sound(states)
        put_states(self._states, games, states)
        return _positions(states)

    def _observe(self, request: dict) -> Answer:
        games, form = self._wanted(request), request.get("as", _FORMS[0])
        if len(games) > MOST_OBSERVED:
            raise ValueError(f"games: at most {MOST_OBSERVED} expected to be observed at a time, not {len(games)}")
        states = take_states(self._states, games)
        viewers = _viewers(request, states)
        seen: list[Any] = [None] * len(games)
        layouts = [layout_for_players(state) for state in states]
        for layout in {layout.name: layout for layout in layouts}.values():
            places = [at for at, other in enumerate(layouts) if other is layout]
            rows, _ = layout.views(states[places], viewers[places].astype(np.int8))
            for at, row in zip(places, rows, strict=True):
                seen[at] = _written(row, layout, form)
        return {"observations": seen}

    def _wanted(self, request: dict) -> np.ndarray:
        games = np.array(request["games"])
        known = (games < self._most) & self._used[np.minimum(games, self._most - 1)]
        if not known.all():
            raise ValueError(f"games: there is no game {games[~known][0]}")
        return games


def _viewers(request: dict, states: np.ndarray) -> np.ndarray:
    """Sides [K] that look at games: the one of the request, or else those that act."""
    return np.full(len(states), SIDE_NAMES.index(request["side"])) if "side" in request else states["actor"]


def _masks(states: np.ndarray) -> np.ndarray:
    """int8 [K, A]: what is legal; nothing where no decision is pending."""
    return states["legal"] * (states["decision"] != Decision.NONE)[:, None]


def _check_sound(states: np.ndarray) -> None:
    """Refuse games that the rules could not go on with."""
    if len(wrong := np.flatnonzero(states["error"])):
        raise ValueError(f"game {wrong[0]} of the list: {ERRORS[states['error'][wrong[0]]]}")


def _positions(states: np.ndarray) -> Answer:
    """Actors, decisions, legal action ids and results of games, each [K]."""
    rows, ids = np.nonzero(_masks(states))
    ends = np.searchsorted(rows, np.arange(len(states) + 1)).tolist()
    ids = ids.tolist()
    return {
        "side": _SIDES[states["actor"]].tolist(),
        "decision": _DECISIONS[states["decision"]].tolist(),
        "legal": [ids[start:end] for start, end in zip(ends, ends[1:], strict=False)],
        "result": _RESULTS[states["result"]].tolist(),
        "vp": states["vp"].tolist(),
    }


def _illegal(game: int, action: int, state: np.record) -> str:
    if not state["decision"]:
        return f"game {game}: nothing can be decided, it is over"
    legal = ", ".join(f"{number} {ACTIONS[number]}" for number in np.flatnonzero(state["legal"]))
    decision = DECISIONS[state["decision"]]
    return f"game {game}: {action} {ACTIONS[action]} is not legal at decision {decision!r}; legal: {legal}"


def _written(row: np.ndarray, layout: ViewLayout, form: str) -> Any:
    if form == "view":
        return named_view(row, layout)
    return base64.b64encode(row.tobytes()).decode() if form == "base64" else row.tolist()


@cache
def _playout_player(specification: str) -> Player:
    """A compiled player by name; raises ``ValueError``."""
    if specification.partition(":")[0] not in PLAYOUT_PLAYERS:
        raise ValueError(f"player: {', '.join(PLAYOUT_PLAYERS)} expected, not {short_repr(specification)}")
    try:
        return make_player(specification)
    except BadSpec as error:
        raise ValueError(f"player: {error}") from None


def _playouts(state: np.ndarray, side: int, seeds: np.ndarray, player: Player) -> dict[str, list]:
    """Results and final VP (Democrat positive) of a play-out for each of ``seeds`` int64 [n].

    ``state`` STATE [1] with a decision pending; what ``side`` cannot know is dealt anew. Raises ``ValueError``.
    """
    if state["decision"][0] == Decision.NONE or is_bid(state["decision"][0]):
        raise ValueError("playout: a position with a decision to take, and sides known, expected")
    dealt = engine.redeal(take_states(state, np.zeros(len(seeds), np.int64)), side, seeds)
    host = Host(len(seeds), GameOptions.of_state(state[0]), on_failure="forfeit")
    rows = np.arange(len(seeds))
    host.resume(rows, dealt, np.full((len(seeds), SIDES), host.register(player)))
    while host.unfinished:
        host.advance()
    endings = sorted(host.ended_games(), key=lambda ending: ending.row)
    if any(ending.failure for ending in endings):
        raise ValueError(f"playout: {player.name} cannot play this game to its end")
    return {"result": [ending.result for ending in endings], "vp": [ending.vp for ending in endings]}


# --- lines ----------------------------------------------------------------------------------------


def serve(source: BinaryIO, sink: BinaryIO, simulator: EngineService) -> None:
    """Answer all lines; blank ones and byte order marks are passed over."""
    for line in filter(bytes.strip, (line.removeprefix(codecs.BOM_UTF8) for line in source)):
        sink.write(json.dumps(_answer(line, simulator), separators=(",", ":")).encode() + b"\n")
        sink.flush()


def _answer(line: bytes, simulator: EngineService) -> dict:
    try:
        request = parse_json(line)
    except ValueError as error:
        return {"error": f"not a line of JSON: {escape_text(error)}"}
    try:
        return simulator.answer(request)
    except Exception as error:  # a mistake of ours must not take the games along
        logging.getLogger(__name__).exception("a request failed")
        return {"error": f"the engine failed, nothing has changed: {type(error).__name__}"}
