"""JSON description of a position for one viewer, from which pages paint the map."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dawn_env.events.board_changes import support_change
from dawn_env.observation.player_view import View
from dawn_env.picture.country_panels import has_country_changed, has_space_changed
from dawn_env.state import DECISIONS, MODES, REASONS, RESULTS, STATE, Decision, Mode, Result
from dawn_env.tables import COUNTRIES, FACES, SIDE_NAMES, SIDES, SPACE_ID, SUITS, N, S
from dawn_env.views.barred_cards import barred_cards
from dawn_env.views.barred_spaces import barred_spaces
from dawn_env.views.choice_costs import aftermath_table, assess, check_sum, winning_faces
from dawn_env.views.consequences import consequences
from dawn_env.views.questions import question_fields
from dawn_env.views.viewer_position import (
    BOTH,
    FamilyPosition,
    StandardPosition,
    ViewerPosition,
    bindings,
    viewer_position,
)

_CLOSED = {"cards": [], "shown": [], "drawn": [], "aside": [], "faces": {}}
"""Values that hide the contents of a hand from spectators; its size stays."""

_PENDING = ("actor", "decision", "source")
"""Keys of the pending question."""
_KEPT = 256  # descriptions
_COMMON = "turn", "round", "phasing", "vp", "control", "destroyed", "scores", "discard_pile", "actor"
_STANDARD = "ussr", "track", "tried_box", "used_awards", "power", "draw_pile_size", "removed", "future", "source"
_STRUGGLE = "attacker", "starter", "raised", "led_rank"
"""Properties of views that are sent as they are."""


def describe(seen: StandardPosition | FamilyPosition) -> dict:
    """Values of the view: those of all kinds of games, and those of this kind."""
    return {
        **{name: getattr(seen, name) for name in _COMMON},
        "support": seen.support.tolist(),
        "marks": {str(at): [[marker.words, marker.label] for marker in markers] for at, markers in seen.marks.items()},
        "standings": [seen.standing(country) for country in range(N)],
        "decision": DECISIONS[seen.decision],
        **(_family(seen) if isinstance(seen, FamilyPosition) else _standard(seen)),
    }


def changes(seen: ViewerPosition, before: ViewerPosition | None) -> dict:
    """Marks of the map: ``spaces`` that differ from ``before``, with support from and to, and ``countries``."""
    if before is None:
        return {"spaces": [], "countries": []}
    changed = [space for space in range(S) if has_space_changed(seen, before, space)]
    return {
        "spaces": [support_change(before.support, seen.support, space) for space in changed],
        "countries": [name for country, name in enumerate(COUNTRIES) if has_country_changed(seen, before, country)],
    }


def describe_for(state: np.record, side: int, before: np.record) -> dict:
    """Describe a position for ``side``, with values of its cards, and what has changed since ``before``."""
    seen, position = _seen_and_described(state.tobytes(), side)
    return {**position, "changes": changes(seen, _seen_and_described(before.tobytes(), side)[0])}


def moments_back(moments: Sequence[np.record], seat: int, now: dict) -> list[dict]:
    """The course of a seat's latest events: of the position at each what differs from the next one, or from ``now``.

    ``moments``: ``STATE`` records by event; ``now``: the message after the last. What is pending is not in them.
    """
    found, later, record, after = [], now, None, now
    for moment in reversed(moments):
        if moment is not record:
            record, later = moment, _seen_and_described(moment.tobytes(), seat ^ int(moment.swapped))[1]
            later = {key: value for key, value in later.items() if key not in _PENDING}
        found.append(differences(later, after))
        after = later
    return found[::-1]


@lru_cache(_KEPT)
def _seen_and_described(record: bytes, side: int) -> tuple[ViewerPosition, dict]:
    """View of a ``STATE`` record and its description, kept for the next message, in which it is what was before."""
    state = np.frombuffer(bytearray(record), STATE)[0]
    seen = seen_by(state, side)
    cards = {"values": own_values(state, seen, side), "deduced": _deduced(state, seen, side)}
    return seen, {"side": side, **describe(seen), **cards}


def differences(then: dict, now: dict) -> dict:
    """Changes that turn ``now`` into ``then``, key by key of ``then``: ``[value]``, ``[]`` for a key to be removed, or
    an object with the changes inside of an object or of a list of the same length.
    """
    return {key: found for key, value in then.items() if (found := _difference(value, now[key])) is not None}


def _difference(then: Any, now: Any) -> list | dict | None:
    if then == now:
        return None
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        then, now = ({str(at): value for at, value in enumerate(values)} for values in (then, now))
    if not (isinstance(then, dict) and isinstance(now, dict)):
        return [then]
    inside = {key: _difference(value, now[key]) if key in now else [value] for key, value in then.items()}
    inside |= {key: [] for key in now if key not in then}
    return {key: found for key, found in inside.items() if found is not None}


def describe_openly(state: np.record, over: bool) -> dict:
    """Describe a position for spectators: without hands until the game is ``over``, then with both.

    Offers of a bid are shown once both are made.
    """
    position = describe(seen_openly(state))
    if position["bid"] and not all(position["bid"]["offers"]):
        position["bid"]["offers"] = [None] * SIDES
    if over:
        return describe(seen_by(state, None)) | {"bid": position["bid"]}
    hands = [{key: _CLOSED.get(key, value) for key, value in hand.items()} for hand in position["hands"]]
    fight = position["struggle"] and position["struggle"] | {"hands": [None] * SIDES}
    return position | {"hands": hands, "struggle": fight}


def outcome(state: np.record) -> dict | None:
    """Result of the game as JSON values; None while it runs."""
    if state.result == Result.RUNNING:
        return None
    return {"result": RESULTS[state.result], "reason": REASONS[state.reason]}


def seen_openly(state: np.record) -> ViewerPosition:
    """View of the side that is not to act; without hands, it is public."""
    return seen_by(state, 1 - int(state.actor))


def ask(state: np.record) -> dict:
    """Pending decision for its side: fields of the question, the legal actions, their costs, effects and odds.

    ``costs``: of support points, those above 1; ``checks``: ``check_sum`` by space; ``odds`` and ``aftermath``: see
    ``choice_costs``; ``barred``, ``barred_cards``: why other spaces and cards cannot be chosen, see the functions;
    ``effects``: see ``consequences``.
    """
    view = View(state)
    spaces = [text.removeprefix("space:") for text in view.texts if text.startswith("space:")]
    placing, checking = state.decision == Decision.OPS_PLACE, state.decision == Decision.CHECK
    found = assess(state, view.side) if placing or checking else None
    return {
        "question": question_fields(view),
        "legal": view.texts,
        "costs": {name: cost for name in spaces if (cost := int(found.costs[SPACE_ID[name]])) > 1} if placing else {},
        "checks": {name: check_sum(found, SPACE_ID[name]) for name in spaces} if checking else {},
        "odds": winning_faces(state, view.texts),
        "aftermath": aftermath_table(state),
        "barred": barred_spaces(view) if spaces else [],
        "barred_cards": barred_cards(view),
        "effects": consequences(view),
    }


def own_values(state: np.record, seen: StandardPosition | FamilyPosition, side: int) -> dict[str, list]:
    """Operations values of the cards in a side's hand and whether their events can occur; empty without events."""
    if isinstance(seen, FamilyPosition):
        return {}
    found, cards = assess(state, side), seen.hand(side) + seen.drawn(side)
    return {str(card): [int(found.values[card]), bool(found.occurs[card])] for card in cards}


def _deduced(state: np.record, seen: StandardPosition | FamilyPosition, side: int) -> list[int]:
    """Cards that the opponent is known to hold without having shown them: no others can fill the hand."""
    return [card for card in seen.hand(1 - side) if not state.known[card]]


def seen_by(state: np.record, side: int | None) -> StandardPosition | FamilyPosition:
    """View of a side, or of both together."""
    return viewer_position(state, BOTH if side is None else SIDE_NAMES[side])


# --- by kind of game ---------------------------------------------------------------------------------


def _standard(seen: StandardPosition) -> dict:
    """Fields of a message for the tracks, Power, hands, piles, lasting events, the struggle and the bid."""
    return {
        "mode": MODES[Mode.STANDARD],
        **{name: getattr(seen, name) for name in _STANDARD},
        "times_scored": seen.times_scored.tolist(),
        "hands": [_standard_hand(seen, side) for side in range(SIDES)],
        "in_play": bindings(seen),
        "struggle": _struggle(seen) if seen.struggle >= 0 else None,
        "bid": seen.offers and {"settled": not seen.bidding, "offers": seen.offers},
    }


def _standard_hand(seen: StandardPosition, side: int) -> dict:
    return {
        "cards": seen.hand(side),
        "size": seen.hand_size(side),
        "shown": seen.shown(side),
        "drawn": seen.drawn(side),
        "aside": seen.set_aside if side == 0 else [],
    }


def _struggle(seen: StandardPosition) -> dict:
    hands = [seen.power_hand(side) for side in range(SIDES)]
    return {
        **{name: getattr(seen, name) for name in _STRUGGLE},
        "country": seen.struggle,
        "winner": seen.struggle_won,
        "blocked": _suit(seen.blocked),
        "led_suit": _suit(seen.led_suit),
        "hands": [None if hand is None else _copies(hand) for hand in hands],
        "sizes": seen.power_hand_size,
        "deck": seen.power_deck_size,
        "discarded": _copies(seen.power_discard),
    }


def _suit(suit: int) -> str | None:
    return SUITS[suit] if suit >= 0 else None


def _copies(faces: np.ndarray) -> dict[str, int]:
    """Copies of power struggle cards by face, of the faces that there are."""
    return {FACES[face]: int(faces[face]) for face in np.flatnonzero(faces)}


def _family(seen: FamilyPosition) -> dict:
    """Hands, decks, the shift or take-over in progress."""
    return {
        "mode": MODES[Mode.FAMILY],
        "decks": seen.deck_size,
        "power_deck": seen.power_deck_size,
        "hands": [_family_hand(seen, side) for side in range(SIDES)],
        "power_discarded": _copies(seen.power_discard),
        "move": seen.move and seen.move._asdict() | {"take_over": seen.is_take_over},
        "fight": seen.fight and _fight(seen),
        "source": 0,
        "struggle": None,
        "bid": None,
    }


def _fight(seen: FamilyPosition) -> dict:
    face = FACES[seen.attack_face] if seen.attack_face >= 0 else None
    return seen.fight._asdict() | {"attack": seen.attack, "defence": seen.defence, "face": face}


def _family_hand(seen: FamilyPosition, side: int) -> dict:
    return {
        "cards": seen.hand(side),
        "size": seen.hand_size(side),
        "faces": _copies(seen.power_hand(side)),
        "faces_size": seen.power_hand_size[side],
    }
