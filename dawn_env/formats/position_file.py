"""A game as JSON at the start of an action round, of the set-up, or in family mode of a card's placement (round 0).

It says what lies on the table and in the hands. Keys are those of the recorded rounds, and the options of the game that
are not the standard ones (``GameOptions``); keys that do not apply are absent. In family mode, all that is not in a
hand or among discards lies in the decks. A position says nothing about a card being resolved, about what players know
beyond the announced card, or about the generator: ``Game.to_json`` keeps those.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from dawn_env import engine
from dawn_env.bids import support_given
from dawn_env.cards.declarations import EVENTS, THE_WALL, WALL_IS_GONE
from dawn_env.cards.event_conditions import Test
from dawn_env.cards.event_tables import condition_number
from dawn_env.cards.event_verbs import Opcode
from dawn_env.errors import BadOptions, MalformedPosition
from dawn_env.formats.position_fields import PLAYERS, FamilyPosition, Position, read_fields
from dawn_env.options import GameOptions
from dawn_env.rules.bid import OFFERED_POINTS, OFFERED_SIDE
from dawn_env.rules.cards import holds
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.frames import FamilyStep, TurnStep
from dawn_env.rules.knowledge import record_draw
from dawn_env.rules.setup import BATCH_SIDE, BATCHES, batch_points
from dawn_env.state import (
    FIELDS,
    MAX_HELD,
    MODES,
    Decision,
    FrameKind,
    Mode,
    PowerZone,
    Zone,
    cards_in,
    new_states,
)
from dawn_env.state_fields import Field, Used
from dawn_env.tables import (
    COMMUNIST,
    COUNTRIES,
    DEMOCRAT,
    FACE_COUNT,
    FACE_ID,
    FACES,
    FIRST_TURN,
    PERIOD,
    SIDE_LETTERS,
    SIDES,
    SPACE_ID,
    SPACES,
)
from dawn_env.tables import SETUP as FIXED_SUPPORT
from dawn_env.validation.state_validity import check_state

_CLOCK = [field for field in FIELDS if field.key and field.used is Used.IN_GAMES]
"""Fields that positions of both kinds of game have."""
_KEYED = [field for field in FIELDS if field.key and field.used is Used.STANDARD]
"""Fields of the standard game with keys of their own; those of markers are absent while nothing is marked."""
_PILES = {"draw_pile": Zone.DRAW_PILE, "removed": Zone.REMOVED, "in_play": Zone.IN_PLAY}


# --- writing -----------------------------------------------------------------------------------


def to_json(state: np.record) -> dict:
    """The position of a ``STATE`` record; what is being resolved, or drawn to choose from, is left out."""
    if state.frames[0].kind == FrameKind.BID:
        raise MalformedPosition("a position: there is none before the players have bid for sides")
    return {
        **{field.key: field.value(state[field.name]) for field in _CLOCK},
        "support": {name: points for name, points in zip(SPACES, state.support.T.tolist(), strict=True) if any(points)},
        "hands": _by_side(lambda side: cards_in(state, Zone.HAND + side)),
        "discard": cards_in(state, Zone.DISCARD_PILE),
        **(_family_json(state) if state.mode == Mode.FAMILY else _standard_json(state)),
    }


def _by_side(value: Callable[[int], Any]) -> dict[str, Any]:
    return {letter: value(side) for side, letter in enumerate(SIDE_LETTERS)}


def _family_json(state) -> dict:
    return {
        "mode": MODES[Mode.FAMILY],
        "power_hands": _by_side(lambda side: _faces(state, PowerZone.HAND + side)),
        "power_discard": _faces(state, PowerZone.DISCARD),
    }


def _faces(state, zone: int) -> list[str]:
    return [FACES[face] for face in np.repeat(np.arange(len(FACES)), state.power_cards[zone])]


def _standard_json(state) -> dict:
    return {
        **{field.key: _value(state, field) for field in _KEYED if _is_written(state, field)},
        "tiananmen": _by_side(lambda side: _track_json(state, side)),
        "power": {name: _power_json(state, country) for country, name in enumerate(COUNTRIES)},
        **{name: cards_in(state, zone) for name, zone in _PILES.items()},
        **({"samizdat": cards_in(state, Zone.SET_ASIDE)[0]} if (state.where == Zone.SET_ASIDE).any() else {}),
        **GameOptions.of_state(state).non_defaults(),
        **(_offers_json(state) if state.bid else {}),
        "events_enabled": events_enabled(state),
    }


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


def _is_written(state, field: Field) -> bool:
    return field.marker is None or bool((state[field.name] != field.start).any())


def _value(state, field: Field) -> Any:
    value = field.value(state[field.name])
    return dict(zip(SIDE_LETTERS, value, strict=True)) if field.shape else value


def _offers_json(state) -> dict:
    """Offers of both players and the resulting sides."""
    offers = {
        player: {"side": SIDE_LETTERS[side], "points": points}
        for player, (side, points) in zip(PLAYERS, state.offers.tolist(), strict=True)
    }
    return {"offers": offers, "first_plays": SIDE_LETTERS[state.swapped]}


_UNLISTED = (Test.ALWAYS, Test.HOLDS_COUNTRIES)
_LISTED = {card: event.when for card, event in EVENTS.items() if event.when.test not in _UNLISTED}
_LISTED[THE_WALL] = ~WALL_IS_GONE
"""What the recorded rounds list: events with a condition, but not those on Power, and The Wall (9), which with its
condition unmet occurs without effect."""
_CONDITIONS = {card: condition_number(_LISTED[card]) for card in sorted(_LISTED)}


def events_enabled(state) -> list[int]:
    """Cards with a prerequisite that is met, or with an event that is not blocked (rules 5.2, 7.5)."""
    return [
        card
        for card, number in _CONDITIONS.items()
        if any(holds(state, number, side) for side in range(SIDES)) or _took_along(state, card)
    ]


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
    family = isinstance(position, dict) and position.get("mode") == MODES[Mode.FAMILY]
    states = (_read_family if family else _read_standard)(position, seed)
    check_state(states[0])
    if not family:
        given, right = position.get("events_enabled"), events_enabled(states[0])
        if given is not None and sorted(given) != right:
            raise MalformedPosition(f"events_enabled: {given} does not fit the rest of the position, {right} does")
    return states


def _read_family(position: dict, seed: int) -> np.ndarray:
    given, states = read_fields(FamilyPosition, position), new_states(1)
    engine.reset(states, np.array([seed]), GameOptions(mode=MODES[Mode.FAMILY]))
    state = states[0]
    state.support[:] = 0
    state.where[state.where >= Zone.HAND] = Zone.DRAW_PILE
    _read_table(state, given, [])
    _read_faces(state, given)
    _assume_draws(state)
    state.frames[0].step = FamilyStep.ORIGIN if state.action_round else FamilyStep.CARD
    state.frames[0].side = state.phasing
    state.decision, state.tape_len[:], state.legal[:], state.legal_count = Decision.NONE, 0, 0, 0
    return states


def _read_faces(state, given: FamilyPosition) -> None:
    """Deal struggle cards of hands and discards from the deck."""
    state.power_cards[:], state.power_cards[PowerZone.DECK] = 0, FACE_COUNT
    dealt = [(f"power_hands.{letter}", given.power_hands[letter]) for letter in SIDE_LETTERS]
    for zone, (name, faces) in enumerate([("power_discard", given.power_discard), *dealt], PowerZone.DISCARD):
        for face, count in Counter(faces).items():
            number = FACE_ID[face]
            if count > state.power_cards[PowerZone.DECK, number]:
                raise MalformedPosition(f"{name}: there are fewer cards {face} than that")
            state.power_cards[PowerZone.DECK, number] -= count
            state.power_cards[zone, number] += count


def _read_standard(position: dict, seed: int) -> np.ndarray:
    names = GameOptions.names() if isinstance(position, dict) else ()
    options = {name: position[name] for name in names if name in position}
    given = read_fields(Position, {key: position[key] for key in position if key not in names} if names else position)
    states = new_states(1)
    state = states[0]
    for field in FIELDS:
        if field.none is not None:
            state[field.name] = field.none
    piles = [(name, getattr(given, name), zone) for name, zone in _PILES.items()]
    _read_table(state, given, [*piles, ("samizdat", [given.samizdat] if given.samizdat else [], Zone.SET_ASIDE)])
    later = np.take(FIRST_TURN, PERIOD[1:]) > state.turn
    state.where[1:][(state.where[1:] == Zone.NOWHERE) & later] = Zone.FUTURE  # decks that come into the game later
    _read_tracks(state, given)
    _read_keys(state, given, _KEYED)
    if state.stasi_card:
        state.known[state.stasi_card] = state.where[state.stasi_card] == Zone.HAND + DEMOCRAT
    try:
        GameOptions.of(options).write(state)
    except BadOptions as error:
        raise MalformedPosition(str(error)) from None
    _read_offers(state, given)
    _assume_draws(state)
    state.power_cards[PowerZone.DECK] = FACE_COUNT
    state.seed = seed
    seed_generator(state, seed)
    _push_turn(state)
    return states


def _read_table(state, given: Position | FamilyPosition, piles: list) -> None:
    """Read what both kinds of game have, and ``piles``: names, cards and zones."""
    free = Zone.DRAW_PILE if state.mode == Mode.FAMILY else Zone.NOWHERE  # where cards lie that no pile names
    _read_keys(state, given, _CLOCK)
    for space, points in given.support.items():
        state.support[:, SPACE_ID[space]] = points
    hands = [(f"hands.{letter}", given.hands[letter], Zone.HAND + side) for side, letter in enumerate(SIDE_LETTERS)]
    for name, cards, zone in (*hands, ("discard", given.discard, Zone.DISCARD_PILE), *piles):
        for card in cards:
            if state.where[card] != free:
                raise MalformedPosition(f"{name}: card {card} lies elsewhere, or is not in the game")
            state.where[card] = zone


def _push_turn(state) -> None:
    state.depth = 1
    frame = state.frames[0]
    frame.kind, frame.side, frame.country = FrameKind.TURN, state.phasing, -1
    frame.step = TurnStep.ROUND if state.turn else TurnStep.SET_UP
    if state.turn == 0:
        frame.batch, frame.left = _setup_progress(state)
        frame.side = BATCH_SIDE[frame.batch - 1]


def _setup_progress(state) -> tuple[int, int]:
    """Batches begun, and points left in the last of them, from the points that have been placed."""
    placed = state.support.astype(int) - FIXED_SUPPORT
    if (placed < 0).any():
        space = SPACES[np.flatnonzero((placed < 0).any(axis=0))[0]]
        raise MalformedPosition(f"support.{space}: less than the fixed support of the set-up")
    unexplained = placed.sum(axis=1)
    for batch in range(BATCHES):
        points = int(batch_points(state, batch))
        taken = min(points, unexplained[BATCH_SIDE[batch]])
        unexplained[BATCH_SIDE[batch]] -= taken
        if taken < points or batch == BATCHES - 1:
            break
    if unexplained.any():
        raise MalformedPosition(f"support: {unexplained.tolist()} points (D, C) beyond batch {batch + 1} of the set-up")
    return batch + 1, points - taken


def _assume_draws(state) -> None:
    """Assume that nothing is known of when the hidden cards were drawn (``rules.knowledge``)."""
    state.drawn_at[:], state.recount[:] = -1, 1
    for side in range(SIDES):
        hidden = (state.where == Zone.HAND + side) & (state.known == 0)
        state.drawn_at[side, : min(hidden.sum(), MAX_HELD)] = state.epoch
    if (state.where == Zone.SET_ASIDE).any():
        record_draw(state, DEMOCRAT)
        state.aside_at = 0


def _read_tracks(state, given: Position) -> None:
    for side, letter in enumerate(SIDE_LETTERS):
        track = given.tiananmen[letter]
        state.track[side], state.tried_box[side], state.tried_turn[side] = track.box, track.tried_box, track.tried_turn
    for country, name in enumerate(COUNTRIES):
        power = given.power[name]
        state.power[country], state.times_scored[country] = SIDE_LETTERS.index(power.holder), power.scored or 0


def _read_keys(state, given: Position | FamilyPosition, fields: list[Field]) -> None:
    for field in fields:
        value = getattr(given, field.key)
        if value is not None:
            numbers = [value[letter] for letter in SIDE_LETTERS] if field.shape else value
            state[field.name] = field.names.index(value) if field.names else numbers


def _read_offers(state, given: Position) -> None:
    if not state.bid:
        if given.offers is not None or given.first_plays is not None:
            raise MalformedPosition("offers, first_plays: in games with the option bid only")
        return
    if given.offers is None or given.first_plays is None:
        raise MalformedPosition("offers, first_plays: expected in a game with a bid")
    for player, name in enumerate(PLAYERS):
        offer = given.offers[name]
        state.offers[player, OFFERED_SIDE] = SIDE_LETTERS.index(offer.side)
        state.offers[player, OFFERED_POINTS] = offer.points
    state.extra_support = support_given(state.offers.tolist())
    state.swapped = SIDE_LETTERS.index(given.first_plays)
