"""Reasons why cards cannot be chosen: for each one at hand that is not legal, the first rule against it."""

from collections.abc import Iterator

import numpy as np

from dawn_env.actions import CARD0, FACE0
from dawn_env.cards.event_tables import PROGRAM
from dawn_env.cards.event_verbs import CardTest
from dawn_env.observation.player_view import View
from dawn_env.rules.cards import playable
from dawn_env.rules.struggle import usable_leader
from dawn_env.state import DECISIONS, Decision, PowerZone, Zone
from dawn_env.tables import (
    ASTERISK,
    COUNTRIES,
    FACE_SUIT,
    FACES,
    LEADER_SUIT,
    LEADER_TYPE,
    OWNER,
    PRINTED_OPS,
    RED_TITLE,
    SCORES,
    SIDE_NAMES,
    SPACE_TYPES,
    SUITS,
    TACTIC_FAILS,
    WILD_SUIT,
    C,
    P,
)
from dawn_env.views.barred_spaces import Bar, first_reasons
from dawn_env.views.choice_costs import ChoiceCosts, assess

_FROM_DISCARD = (Decision.TAKE_DISCARD, Decision.EVENT_FROM_DISCARD)
_ELSEWHERE = (*_FROM_DISCARD, Decision.KEEP_CARD, Decision.LENIN)
"""Decisions about cards that are not in the hand."""
_NOT_SCORING = (Decision.SWAP_CARD, Decision.GIVE_CARD, Decision.CANCEL_CHECK, Decision.TAKE_DISCARD)
_OF_A_KIND = {
    CardTest.SCORING: SCORES < 0, CardTest.NOT_SCORING: SCORES >= 0, CardTest.OWN_WITH_ASTERISK: ~ASTERISK,
}  # fmt: skip
"""Cards that a kind excludes, bool [C]; ``OWN_WITH_ASTERISK`` those of the opponent and neutral ones, too."""


def barred_cards(view: View) -> list[tuple[dict, list[str]]]:
    """Reasons with texts of actions, for cards that are not legal: strategy cards that the side holds or has drawn,
    those of the pile that is asked about, struggle cards in attacks and answers; empty where none of them is asked for.

    They depend on the view alone, that of the side to act.
    """
    state = view._dealt[0]
    cards = [(reason, [f"card:{card}" for card in found]) for reason, found in _strategy_cards(view, state)]
    return cards + [(reason, [f"power:{FACES[face]}" for face in found]) for reason, found in _faces(view, state)]


# --- strategy cards --------------------------------------------------------------------------------------


def _strategy_cards(view: View, state: np.record) -> list[tuple[dict, list[int]]]:
    legal = np.append(False, view.mask[CARD0 + 1 : CARD0 + C] > 0)
    if not legal.any():
        return []
    at_hand = (state.where == Zone.HAND + view.side) | (state.where == Zone.DRAWN)
    if state.decision in _FROM_DISCARD:
        at_hand |= state.where == Zone.DISCARD_PILE
    if state.decision == Decision.LENIN:
        at_hand |= (state.where == Zone.HAND + 1 - view.side) & RED_TITLE
    return first_reasons(_card_bars(state, view.side, assess(state, view.side)), at_hand & ~legal)


def _card_bars(state: np.record, side: int, found: ChoiceCosts) -> Iterator[Bar]:
    """All reasons of the pending decision in the order in which they count, each also for what others bar, bool [C]."""
    decision = int(state.decision)
    if decision in _ELSEWHERE:
        yield {"barred": "elsewhere", "decision": DECISIONS[decision]}, state.where == Zone.HAND + side
    if decision in _NOT_SCORING:
        yield {"barred": "scoring"}, SCORES >= 0
    if decision == Decision.GIVE_CARD:
        held = PRINTED_OPS[:C] * (state.where == Zone.HAND + side)
        yield {"barred": "lower", "highest": int(held.max())}, held < held.max()
    elif decision == Decision.CANCEL_CHECK:
        needed = int(PROGRAM[state.frames[state.depth - 1].pc].count)
        for value in range(needed):
            yield {"barred": "worth", "value": value, "needed": needed}, found.values == value
    elif decision == Decision.EVENT_FROM_DISCARD:
        yield from _kind_bars(state, side)
    if decision == Decision.HOME_CARD:
        yield {"barred": "not-theirs", "side": SIDE_NAMES[1 - side]}, OWNER[:C] != 1 - side
    elif decision == Decision.LENIN:  # the Democrat carries out whatever card is taken
        yield {"barred": "cannot-occur"}, np.array([not (card and playable(state, side, card)) for card in range(C)])
    if decision in (Decision.HOME_CARD, Decision.EVENT_FROM_DISCARD):
        yield {"barred": "cannot-occur"}, ~found.occurs


def _kind_bars(state: np.record, side: int) -> Iterator[Bar]:
    """The kind of card that an event takes from the discard pile."""
    frame = state.frames[state.depth - 1]
    kind = CardTest(int(PROGRAM[frame.pc].extra))
    excluded = _OF_A_KIND[kind]
    if kind == CardTest.OWN_WITH_ASTERISK:
        excluded = excluded | (OWNER[:C] != side)
    fields = {"barred": "kind", "source": int(frame.source), "kind": kind.name.lower(), "side": SIDE_NAMES[side]}
    yield fields, excluded


# --- struggle cards ----------------------------------------------------------------------------------------


def _faces(view: View, state: np.record) -> list[tuple[dict, list[int]]]:
    legal = view.mask[FACE0 : FACE0 + P] > 0
    if state.decision not in (Decision.ATTACK, Decision.DEFEND):
        return []
    held = state.power_cards[PowerZone.HAND + view.side] > 0
    return first_reasons(_face_bars(state, view.side), held & ~legal)


def _face_bars(state: np.record, side: int) -> Iterator[Bar]:
    """Reasons against power struggle cards, each with the faces that it bars, bool [P]."""
    country = int(state.struggle)
    attacks = state.decision == Decision.ATTACK
    for face in np.flatnonzero(FACE_SUIT == LEADER_SUIT):
        reason = {"barred": "leader", "type": SPACE_TYPES[LEADER_TYPE[face]], "country": COUNTRIES[country]}
        yield reason, (np.arange(P) == face) & (not usable_leader(state, side, country, face))
    if attacks:
        yield {"barred": "answers-only"}, np.arange(P) == TACTIC_FAILS
        if state.blocked >= 0:
            yield {"barred": "blocked", "suit": SUITS[state.blocked]}, FACE_SUIT == state.blocked
    else:
        yield {"barred": "attacks-only"}, (FACE_SUIT == WILD_SUIT) & (np.arange(P) != TACTIC_FAILS)
        suit = int(state.led_suit)
        yield {"barred": "suit", "suit": SUITS[suit]}, (FACE_SUIT != suit) & (FACE_SUIT < LEADER_SUIT)
