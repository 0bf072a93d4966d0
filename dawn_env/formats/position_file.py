"""A game at the start of an action round, or of the set-up, as JSON: what lies on the table and in the hands.

Family mode has a form of its own (``family_position``). Keys are those of the recorded rounds, and the options of the
game that are not the standard ones (``GameOptions``); keys that do not apply are absent. A position says nothing about
a card being resolved, about what players know beyond the announced card, or about the generator: ``Game.to_json`` keeps
those.
"""

import numpy as np

from dawn_env.actions import MOST_POINTS
from dawn_env.bids import support_given
from dawn_env.cards.declarations import EVENTS, THE_WALL, WALL_IS_GONE
from dawn_env.cards.event_conditions import Test
from dawn_env.cards.event_tables import condition_number
from dawn_env.cards.event_verbs import Opcode
from dawn_env.errors import BadOptions, MalformedPosition
from dawn_env.formats import family_position_file
from dawn_env.options import GameOptions
from dawn_env.rules.bid import OFFERED_POINTS, OFFERED_SIDE
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.events.condition_checks import holds_for_someone
from dawn_env.rules.frames import TurnStep
from dawn_env.rules.knowledge import note_draw
from dawn_env.rules.setup import BATCHES, batch_points, batch_side
from dawn_env.state import MAX_HELD, MODES, FrameKind, Mode, PowerZone, Zone, new_states
from dawn_env.tables import (
    COMMUNIST,
    COUNTRIES,
    COUNTRY_OF,
    DEMOCRAT,
    EXTRA_ROUND,
    FACE_COUNT,
    FIRST_TURN,
    LAST_TURN,
    PERIOD,
    ROMANIA,
    SIDE_LETTERS,
    SIDES,
    SPACES,
    TIANANMEN_BOXES,
    C,
)
from dawn_env.tables import SETUP as FIXED_SUPPORT
from dawn_env.validation.json_values import (
    card_list,
    keys,
    one_of,
    space_id,
    support_json,
    support_points,
    truth,
    whole,
)
from dawn_env.validation.state_validity import check_state

_MAX_VP, _MAX_USSR = 19, 4
_MAX_SUPPORT, _MAX_SCORED, _MAX_PRUDENCE = 99, 10, 9

_PILES = {"draw_pile": Zone.DRAW_PILE, "discard": Zone.DISCARD_PILE, "removed": Zone.REMOVED, "in_play": Zone.IN_PLAY}
_USED = ("award7_used", "award8_used")
_DONE = ("crowd_done", "tyrant_done")
_REQUIRED = {"turn", "round", "phasing", "vp", "ussr", "tiananmen", *_USED, "support", "power", "hands", *_PILES}
_OPTIONAL = {
    "samizdat", "prudence", "stand_fast", "debt_burden", "systematized", "ceausescu_hideout", *_DONE, "stasi_card",
    "events_enabled", *GameOptions.names(), "offers", "first_plays",
}  # fmt: skip

_PLAYERS = ("first", "second")

_ABSENT = (
    "stand_fast", "debt_burden", "destroyed", "hideout", "struggle", "starter", "attacker", "blocked", "led_suit",
    "winner", "winning_suit", "offers", "origin", "destination", "attack_face",
)  # fmt: skip
"""Fields of ``STATE`` whose -1 means none."""


# --- writing -----------------------------------------------------------------------------------


def to_json(state) -> dict:
    """The position of a ``STATE`` record; cards being resolved, or drawn to choose from, are left out."""
    if state.mode == Mode.FAMILY:
        return family_position_file.to_json(state)
    if state.frames[0].kind == FrameKind.BID:
        raise MalformedPosition("a position: there is none before the players have bid for sides")
    return {
        "turn": int(state.turn),
        "round": int(state.action_round),
        "phasing": SIDE_LETTERS[state.phasing],
        "vp": int(state.vp),
        "ussr": int(state.ussr),
        "tiananmen": {letter: _track_json(state, side) for side, letter in enumerate(SIDE_LETTERS)},
        **{name: bool(state[name]) for name in _USED},
        "support": support_json(state),
        "power": {name: _power_json(state, country) for country, name in enumerate(COUNTRIES)},
        "hands": {letter: _cards_in(state, Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)},
        **{name: _cards_in(state, zone) for name, zone in _PILES.items()},
        **_effects_json(state),
        **GameOptions.of_state(state).departures(),
        **(_offers_json(state) if state.bid else {}),
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


def _offers_json(state) -> dict:
    """Offers of both players and the resulting sides."""
    offers = {
        player: {"side": SIDE_LETTERS[side], "points": points}
        for player, (side, points) in zip(_PLAYERS, state.offers.tolist(), strict=True)
    }
    return {"offers": offers, "first_plays": SIDE_LETTERS[state.swapped]}


_UNLISTED = (Test.ALWAYS, Test.HOLDS_COUNTRIES)
_LISTED = {card: event.when for card, event in EVENTS.items() if event.when.test not in _UNLISTED}
_LISTED[THE_WALL] = ~WALL_IS_GONE
"""What the recorded rounds list: events with a condition, but not those on Power, and The Wall (9), which with its
condition unmet occurs without effect."""
_NUMBERS = {card: condition_number(_LISTED[card]) for card in sorted(_LISTED)}


def events_enabled(state) -> list[int]:
    """Cards whose prerequisite is met or whose event is not blocked (rules 5.2, 7.5)."""
    return [card for card, number in _NUMBERS.items() if holds_for_someone(state, number) or _took_along(state, card)]


def _took_along(state, card: int) -> bool:
    """Return True if an event has occurred that takes what enabled it out of play (107)."""
    needed = EVENTS[card].when.card
    takes = any(verb.opcode == Opcode.CANCEL_CARD and verb.count == needed for verb in EVENTS[card].verbs)
    return takes and state.where[card] == state.where[needed] == Zone.REMOVED


# --- reading -----------------------------------------------------------------------------------


def from_json(position: dict, seed: int = 0) -> np.ndarray:
    """``[1]`` record of ``STATE`` that waits to be run to its first decision (``Game.resume``).

    ``seed`` sets the generator. Raises ``MalformedPosition`` when the position does not describe a game.
    """
    if isinstance(position, dict) and position.get("mode") == MODES[Mode.FAMILY]:
        return family_position_file.from_json(position, seed)
    keys(position, "position", _REQUIRED, _OPTIONAL)
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
    _read_offers(state, position)
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
    state.recount = 1
    for side in range(SIDES):
        hidden = (state.where == Zone.HAND + side) & (state.known == 0)
        state.drawn_at[side, : min(hidden.sum(), MAX_HELD)] = 0
    if (state.where == Zone.SET_ASIDE).any():
        note_draw(state, DEMOCRAT)
        state.aside_at = 0


def _read_clock(state, position: dict) -> None:
    state.turn = whole(position["turn"], "turn", 0, LAST_TURN)
    state.action_round = whole(position["round"], "round", 1 if state.turn else 0, EXTRA_ROUND if state.turn else 0)
    state.phasing = one_of(position["phasing"], "phasing", SIDE_LETTERS)
    state.vp = whole(position["vp"], "vp", -_MAX_VP, _MAX_VP)


def _read_tracks(state, position: dict) -> None:
    state.ussr = whole(position["ussr"], "ussr", 0, _MAX_USSR)
    keys(position["tiananmen"], "tiananmen", SIDE_LETTERS)
    for side, letter in enumerate(SIDE_LETTERS):
        name, track = f"tiananmen.{letter}", position["tiananmen"][letter]
        keys(track, name, ("box", "tried_box", "tried_turn"))
        state.track[side] = whole(track["box"], f"{name}.box", 0, TIANANMEN_BOXES)
        state.tried_box[side] = truth(track["tried_box"], f"{name}.tried_box")
        state.tried_turn[side] = truth(track["tried_turn"], f"{name}.tried_turn")
    for name in _USED:
        state[name] = truth(position[name], name)


def _read_support(state, support: dict) -> None:
    for space, points in support_points(support, "support", _MAX_SUPPORT).items():
        state.support[:, space] = points


def _read_power(state, power: dict) -> None:
    keys(power, "power", COUNTRIES)
    for country, name in enumerate(COUNTRIES):
        entry = power[name]
        keys(entry, f"power.{name}", ("holder", "scored"))
        state.power[country] = one_of(entry["holder"], f"power.{name}.holder", SIDE_LETTERS)
        if state.power[country] == COMMUNIST:
            state.times_scored[country] = whole(entry["scored"], f"power.{name}.scored", 0, _MAX_SCORED)
        elif entry["scored"] is not None:
            raise MalformedPosition(
                f"power.{name}.scored: null expected, as the Democrat holds Power, not {entry['scored']!r}"
            )


def _read_cards(state, position: dict) -> None:
    """Put every card in its zone; those of later decks are listed nowhere."""
    keys(position["hands"], "hands", SIDE_LETTERS)
    piles = [
        (f"hands.{letter}", position["hands"][letter], Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)
    ]
    piles += [(name, position[name], zone) for name, zone in _PILES.items()]
    if "samizdat" in position:
        piles.append(("samizdat", [position["samizdat"]], Zone.SET_ASIDE))
    found_in: dict[int, str] = {}
    where = state.where
    for name, cards, zone in piles:
        for card in card_list(cards, name):
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
        state[name] = truth(position.get(name, False), name)
    if "prudence" in position:
        state.prudence = _read_prudence(position["prudence"])
    if "stand_fast" in position:
        state.stand_fast = one_of(position["stand_fast"], "stand_fast", SIDE_LETTERS)
    if "debt_burden" in position:
        state.debt_burden = one_of(position["debt_burden"], "debt_burden", COUNTRIES)
    if "systematized" in position:
        state.destroyed = _romanian_space(position["systematized"], "systematized")
    if "ceausescu_hideout" in position:
        state.hideout = _romanian_space(position["ceausescu_hideout"], "ceausescu_hideout")
    if "stasi_card" in position:
        state.stasi_card = whole(position["stasi_card"], "stasi_card", 1, C - 1)
        state.known[state.stasi_card] = state.where[state.stasi_card] == Zone.HAND + DEMOCRAT


def _read_options(state, position: dict) -> None:
    given = {name: position[name] for name in GameOptions.names() if name in position}
    try:
        GameOptions.of(given).write(state)
    except BadOptions as error:
        raise MalformedPosition(str(error)) from None


def _read_offers(state, position: dict) -> None:
    given = [key for key in ("offers", "first_plays") if key in position]
    if not state.bid:
        if given:
            raise MalformedPosition(f"{given[0]}: in games with the option bid only")
        return
    if len(given) < 2:
        raise MalformedPosition("offers, first_plays: expected in a game with a bid")
    keys(position["offers"], "offers", _PLAYERS)
    for player, name in enumerate(_PLAYERS):
        offer = position["offers"][name]
        keys(offer, f"offers.{name}", ("side", "points"))
        state.offers[player, OFFERED_SIDE] = one_of(offer["side"], f"offers.{name}.side", SIDE_LETTERS)
        state.offers[player, OFFERED_POINTS] = whole(offer["points"], f"offers.{name}.points", 0, MOST_POINTS)
    state.extra_support = support_given(state.offers.tolist())
    state.swapped = one_of(position["first_plays"], "first_plays", SIDE_LETTERS)


def _read_prudence(prudence: dict) -> list[int]:
    keys(prudence, "prudence", SIDE_LETTERS)
    return [whole(prudence[letter], f"prudence.{letter}", -_MAX_PRUDENCE, 0) for letter in SIDE_LETTERS]


def _check_enabled(state, position: dict) -> None:
    """Events enabled follow from the rest; when given they must agree with it."""
    given, right = position.get("events_enabled"), events_enabled(state)
    if "events_enabled" in position and card_list(given, "events_enabled") != right:
        raise MalformedPosition(f"events_enabled: {given} does not fit the rest of the position, {right} does")


def _romanian_space(value, name: str) -> int:
    space = space_id(value, name)
    if COUNTRY_OF[space] != ROMANIA:
        raise MalformedPosition(f"{name}: a space of Romania expected, not {value!r}")
    return space
