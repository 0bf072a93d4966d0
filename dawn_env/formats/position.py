"""A game at the start of an action round, or of the set-up, as JSON: what lies on the table and in the hands.

Keys are those of the recorded rounds, and the options of the game that are not the standard ones (``GameOptions``);
keys that do not apply are absent. A position says nothing about a card being resolved, about what players know beyond
the announced card, or about the generator: ``Game.to_json`` keeps those.
"""

from collections import Counter
from collections.abc import Collection

import numpy as np

from dawn_env.calendar import EXTRA_ROUND, FIRST_TURN, LAST_TURN
from dawn_env.cards.conditions import Test
from dawn_env.cards.declarations import EVENTS, THE_WALL, WALL_IS_GONE
from dawn_env.cards.effects import Opcode
from dawn_env.cards.events import condition_number
from dawn_env.errors import BadOptions, MalformedPosition
from dawn_env.options import GameOptions
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.conditions import holds_for_someone
from dawn_env.rules.knowledge import note_draw
from dawn_env.rules.setup import BATCHES, batch_points, batch_side
from dawn_env.rules.steps import TurnStep
from dawn_env.state import MAX_HELD, FrameKind, PowerZone, Zone, new_states
from dawn_env.tables import (
    COMMUNIST,
    COUNTRIES,
    COUNTRY_OF,
    DEMOCRAT,
    FACE_COUNT,
    PERIOD,
    ROMANIA,
    SIDE_LETTERS,
    SIDES,
    SPACE_ID,
    SPACES,
    TIANANMEN_BOXES,
    C,
)
from dawn_env.tables import SETUP as FIXED_SUPPORT
from dawn_env.validity import check_state

_MAX_VP, _MAX_USSR = 19, 4
_MAX_SUPPORT, _MAX_SCORED, _MAX_PRUDENCE = 99, 10, 9

_PILES = {"draw_pile": Zone.DRAW_PILE, "discard": Zone.DISCARD_PILE, "removed": Zone.REMOVED, "in_play": Zone.IN_PLAY}
_USED = ("award7_used", "award8_used")
_DONE = ("crowd_done", "tyrant_done")
_REQUIRED = {"turn", "round", "phasing", "vp", "ussr", "tiananmen", *_USED, "support", "power", "hands", *_PILES}
_OPTIONAL = {
    "samizdat", "prudence", "stand_fast", "debt_burden", "systematized", "ceausescu_hideout", *_DONE, "stasi_card",
    "events_enabled", *GameOptions.names(),
}  # fmt: skip

_ABSENT = (
    "stand_fast", "debt_burden", "destroyed", "hideout", "struggle", "starter", "attacker", "blocked", "led_suit",
    "winner", "winning_suit",
)  # fmt: skip
"""Fields of ``STATE`` whose -1 means none."""


# --- writing -----------------------------------------------------------------------------------


def to_json(state) -> dict:
    """The position of a ``STATE`` record; cards being resolved, or drawn to choose from, are left out."""
    return {
        "turn": int(state.turn),
        "round": int(state.action_round),
        "phasing": SIDE_LETTERS[state.phasing],
        "vp": int(state.vp),
        "ussr": int(state.ussr),
        "tiananmen": {letter: _track_json(state, side) for side, letter in enumerate(SIDE_LETTERS)},
        **{name: bool(state[name]) for name in _USED},
        "support": {name: points for name, points in zip(SPACES, state.support.T.tolist(), strict=True) if any(points)},
        "power": {name: _power_json(state, country) for country, name in enumerate(COUNTRIES)},
        "hands": {letter: _cards_in(state, Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)},
        **{name: _cards_in(state, zone) for name, zone in _PILES.items()},
        **_effects_json(state),
        **GameOptions.of_state(state).departures(),
        "events_enabled": events_enabled(state),
    }


def _cards_in(state, zone: int) -> list[int]:
    return np.flatnonzero(state.where == zone).tolist()


def _track_json(state, side: int) -> dict:
    return {
        "box": int(state.track[side]),
        "tried_box": bool(state.tried_box[side]),
        "tried_turn": bool(state.tried_turn[side]),
    }


def _power_json(state, country: int) -> dict:
    holder = int(state.power[country])
    scored = int(state.times_scored[country]) if holder == COMMUNIST else None
    return {"holder": SIDE_LETTERS[holder], "scored": scored}


def _effects_json(state) -> dict:
    """The keys that are there only when they apply."""
    effects = {name: True for name in _DONE if state[name]}
    if set_aside := _cards_in(state, Zone.SET_ASIDE):
        effects["samizdat"] = set_aside[0]
    if state.prudence.any():
        effects["prudence"] = dict(zip(SIDE_LETTERS, state.prudence.tolist(), strict=True))
    for name, field, names in (
        ("stand_fast", "stand_fast", SIDE_LETTERS),
        ("debt_burden", "debt_burden", COUNTRIES),
        ("systematized", "destroyed", SPACES),
        ("ceausescu_hideout", "hideout", SPACES),
    ):
        if state[field] >= 0:
            effects[name] = names[state[field]]
    if state.stasi_card:
        effects["stasi_card"] = int(state.stasi_card)
    return effects


_UNLISTED = (Test.ALWAYS, Test.HOLDS_COUNTRIES)
_LISTED = {card: event.when for card, event in EVENTS.items() if event.when.test not in _UNLISTED}
_LISTED[THE_WALL] = ~WALL_IS_GONE
"""What the recorded rounds list: events with a condition, but not those on Power, and The Wall (9), which with its
condition unmet occurs without effect."""
_NUMBERS = {card: condition_number(_LISTED[card]) for card in sorted(_LISTED)}


def events_enabled(state) -> list[int]:
    """Cards whose prerequisite is met or which nothing blocks, among those with such a condition (rules 5.2, 7.5)."""
    return [card for card, number in _NUMBERS.items() if holds_for_someone(state, number) or _took_along(state, card)]


def _took_along(state, card: int) -> bool:
    """Whether an event has occurred that takes what enabled it out of play (107)."""
    needed = EVENTS[card].when.card
    takes = any(verb.opcode == Opcode.CANCEL_CARD and verb.count == needed for verb in EVENTS[card].verbs)
    return takes and state.where[card] == state.where[needed] == Zone.REMOVED


# --- reading -----------------------------------------------------------------------------------


def from_json(position: dict, seed: int = 0) -> np.ndarray:
    """``[1]`` record of ``STATE`` that waits to be run to its first decision (``Game.resume``).

    ``seed`` sets the generator. Raises ``MalformedPosition`` when the position does not describe a game.
    """
    _keys(position, "position", _REQUIRED, _OPTIONAL)
    states = new_states(1)
    state = states[0]
    for field in _ABSENT:
        state[field] = -1
    _read_clock(state, position)
    _read_tracks(state, position)
    _read_support(state, position["support"])
    _read_power(state, position["power"])
    _read_cards(state, position)
    _read_effects(state, position)
    _read_options(state, position)
    assume_draws(state)
    state.power_cards[PowerZone.DECK] = FACE_COUNT
    state.seed = seed
    seed_generator(state, seed)
    _push_turn(state)
    check_state(state)
    _check_enabled(state, position)
    return states


def _push_turn(state) -> None:
    state.depth = 1
    frame = state.frames[0]
    frame.kind, frame.side, frame.country = FrameKind.TURN, state.phasing, -1
    frame.step = TurnStep.ROUND if state.turn else TurnStep.SET_UP
    if state.turn == 0:
        frame.batch, frame.left = _setup_progress(state)
        frame.side = batch_side(frame.batch - 1)


def _setup_progress(state) -> tuple[int, int]:
    """Batches begun, and points left in the last of them, from the points that have been placed."""
    placed = state.support.astype(int) - FIXED_SUPPORT
    if (placed < 0).any():
        space = SPACES[np.flatnonzero((placed < 0).any(axis=0))[0]]
        raise MalformedPosition(f"support.{space}: less than the fixed support of the set-up")
    unexplained = placed.sum(axis=1)
    for batch in range(BATCHES):
        points = int(batch_points(state, batch))
        taken = min(points, unexplained[batch_side(batch)])
        unexplained[batch_side(batch)] -= taken
        if taken < points or batch == BATCHES - 1:
            break
    if unexplained.any():
        raise MalformedPosition(f"support: {unexplained.tolist()} points (D, C) beyond batch {batch + 1} of the set-up")
    return batch + 1, points - taken


def assume_draws(state) -> None:
    """Note that nothing is known of when the hidden cards were drawn (``rules.knowledge``)."""
    state.epoch, state.since, state.drawn_at, state.aside_at, state.aside_unsure = 0, 0, -1, -1, 0
    for side in range(SIDES):
        hidden = (state.where == Zone.HAND + side) & (state.known == 0)
        state.drawn_at[side, : min(hidden.sum(), MAX_HELD)] = 0
    if (state.where == Zone.SET_ASIDE).any():
        note_draw(state, DEMOCRAT)
        state.aside_at = 0


def _read_clock(state, position: dict) -> None:
    state.turn = _integer(position["turn"], "turn", 0, LAST_TURN)
    state.action_round = _integer(position["round"], "round", 1 if state.turn else 0, EXTRA_ROUND if state.turn else 0)
    state.phasing = _one_of(position["phasing"], "phasing", SIDE_LETTERS)
    state.vp = _integer(position["vp"], "vp", -_MAX_VP, _MAX_VP)


def _read_tracks(state, position: dict) -> None:
    state.ussr = _integer(position["ussr"], "ussr", 0, _MAX_USSR)
    _keys(position["tiananmen"], "tiananmen", SIDE_LETTERS)
    for side, letter in enumerate(SIDE_LETTERS):
        name, track = f"tiananmen.{letter}", position["tiananmen"][letter]
        _keys(track, name, ("box", "tried_box", "tried_turn"))
        state.track[side] = _integer(track["box"], f"{name}.box", 0, TIANANMEN_BOXES)
        state.tried_box[side] = _boolean(track["tried_box"], f"{name}.tried_box")
        state.tried_turn[side] = _boolean(track["tried_turn"], f"{name}.tried_turn")
    for name in _USED:
        state[name] = _boolean(position[name], name)


def _read_support(state, support: dict) -> None:
    _mapping(support, "support")
    for name, points in support.items():
        space = _space(name, "support")
        if not isinstance(points, list) or len(points) != len(SIDE_LETTERS):
            raise MalformedPosition(f"support.{name}: [democrat, communist] expected, not {points!r}")
        state.support[:, space] = [_integer(p, f"support.{name}", 0, _MAX_SUPPORT) for p in points]


def _read_power(state, power: dict) -> None:
    _keys(power, "power", COUNTRIES)
    for country, name in enumerate(COUNTRIES):
        entry = power[name]
        _keys(entry, f"power.{name}", ("holder", "scored"))
        state.power[country] = _one_of(entry["holder"], f"power.{name}.holder", SIDE_LETTERS)
        if state.power[country] == COMMUNIST:
            state.times_scored[country] = _integer(entry["scored"], f"power.{name}.scored", 0, _MAX_SCORED)
        elif entry["scored"] is not None:
            raise MalformedPosition(
                f"power.{name}.scored: null expected, as the Democrat holds Power, not {entry['scored']!r}"
            )


def _read_cards(state, position: dict) -> None:
    """Put every card in its zone; those of later decks are listed nowhere."""
    _keys(position["hands"], "hands", SIDE_LETTERS)
    piles = [
        (f"hands.{letter}", position["hands"][letter], Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)
    ]
    piles += [(name, position[name], zone) for name, zone in _PILES.items()]
    if "samizdat" in position:
        piles.append(("samizdat", [position["samizdat"]], Zone.SET_ASIDE))
    found_in: dict[int, str] = {}
    where = state.where
    for name, cards, zone in piles:
        for card in _card_list(cards, name):
            if card in found_in:
                raise MalformedPosition(f"card {card} lies in {found_in[card]} and in {name}; a card has one place")
            found_in[card] = name
            where[card] = zone
    _place_later_decks(where, int(state.turn))


def _place_later_decks(where: np.ndarray, turn: int) -> None:
    """Cards of decks not yet added wait; all others must have been found."""
    for card, period, zone in zip(range(1, C), PERIOD[1:].tolist(), where[1:].tolist(), strict=True):
        starts = FIRST_TURN[period]
        if starts > turn and zone != Zone.NOWHERE:
            raise MalformedPosition(f"card {card} belongs to the deck of turn {starts}, but it is turn {turn}")
        if starts <= turn and zone == Zone.NOWHERE:
            raise MalformedPosition(f"card {card} is missing; each card of a deck in the game has a place")
        if starts > turn:
            where[card] = Zone.FUTURE


def _read_effects(state, position: dict) -> None:
    for name in _DONE:
        state[name] = _boolean(position.get(name, False), name)
    if "prudence" in position:
        state.prudence = _read_prudence(position["prudence"])
    if "stand_fast" in position:
        state.stand_fast = _one_of(position["stand_fast"], "stand_fast", SIDE_LETTERS)
    if "debt_burden" in position:
        state.debt_burden = _one_of(position["debt_burden"], "debt_burden", COUNTRIES)
    if "systematized" in position:
        state.destroyed = _romanian_space(position["systematized"], "systematized")
    if "ceausescu_hideout" in position:
        state.hideout = _romanian_space(position["ceausescu_hideout"], "ceausescu_hideout")
    if "stasi_card" in position:
        state.stasi_card = _integer(position["stasi_card"], "stasi_card", 1, C - 1)
        state.known[state.stasi_card] = state.where[state.stasi_card] == Zone.HAND + DEMOCRAT


def _read_options(state, position: dict) -> None:
    given = {name: position[name] for name in GameOptions.names() if name in position}
    try:
        GameOptions.of(given).write(state)
    except BadOptions as error:
        raise MalformedPosition(str(error)) from None


def _read_prudence(prudence: dict) -> list[int]:
    _keys(prudence, "prudence", SIDE_LETTERS)
    return [_integer(prudence[letter], f"prudence.{letter}", -_MAX_PRUDENCE, 0) for letter in SIDE_LETTERS]


def _check_enabled(state, position: dict) -> None:
    """Events enabled follow from the rest; when given they must agree with it."""
    given, right = position.get("events_enabled"), events_enabled(state)
    if "events_enabled" in position and _card_list(given, "events_enabled") != right:
        raise MalformedPosition(f"events_enabled: {given} does not fit the rest of the position, {right} does")


# --- checks of single values -------------------------------------------------------------------


def _mapping(value, name: str) -> None:
    if not isinstance(value, dict):
        raise MalformedPosition(f"{name}: an object expected, not {value!r}")


def _keys(value, name: str, required: Collection[str], optional: Collection[str] = ()) -> None:
    _mapping(value, name)
    if missing := sorted(set(required) - set(value)):
        raise MalformedPosition(f"{name}: missing {', '.join(missing)}")
    if unknown := sorted(set(value) - set(required) - set(optional)):
        known = ", ".join(sorted({*required, *optional}))
        raise MalformedPosition(f"{name}: unknown {', '.join(unknown)}; known: {known}")


def _integer(value, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise MalformedPosition(f"{name}: an integer {low} ... {high} expected, not {value!r}")
    return value


def _boolean(value, name: str) -> bool:
    if type(value) is not bool:
        raise MalformedPosition(f"{name}: true or false expected, not {value!r}")
    return value


def _one_of(value, name: str, names: tuple[str, ...]) -> int:
    if value not in names:
        raise MalformedPosition(f"{name}: one of {', '.join(names)} expected, not {value!r}")
    return names.index(value)


def _space(value, name: str) -> int:
    if not isinstance(value, str) or value not in SPACE_ID:
        raise MalformedPosition(f"{name}: no space is called {value!r}; known: {', '.join(SPACES)}")
    return SPACE_ID[value]


def _romanian_space(value, name: str) -> int:
    space = _space(value, name)
    if COUNTRY_OF[space] != ROMANIA:
        raise MalformedPosition(f"{name}: a space of Romania expected, not {value!r}")
    return space


def _card_list(value, name: str) -> list[int]:
    if not isinstance(value, list):
        raise MalformedPosition(f"{name}: a list of card numbers expected, not {value!r}")
    cards = [_integer(card, name, 1, C - 1) for card in value]
    if twice := [card for card, count in Counter(cards).items() if count > 1]:
        raise MalformedPosition(f"{name}: cards {twice} are listed more than once")
    return sorted(cards)
