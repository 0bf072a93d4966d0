"""Checks of records while players bid (rule 13.0), of what a bid came to, and of family mode; all after bounds."""

from collections.abc import Container, Iterator
from functools import cache

import numpy as np

from dawn_env import engine
from dawn_env.actions import MOST_POINTS
from dawn_env.bids import support_given
from dawn_env.options import GameOptions
from dawn_env.rules.bid import FIRST, OFFERED_POINTS, OFFERED_SIDE, SECOND, TIED, is_swapped
from dawn_env.rules.board import controls
from dawn_env.rules.family import PRINTED_MAP, may_enter, may_leave
from dawn_env.rules.frames import FamilyStep
from dawn_env.state import FIELDS, STATE, Decision, FrameKind, PowerZone, Zone, cards_in, new_states
from dawn_env.state_fields import Used
from dawn_env.tables import (
    FACE_COUNT,
    FAMILY_HAND_SIZE,
    FAMILY_POWER_HAND_SIZE,
    NEIGHBOURS,
    NEUTRAL,
    OWNER,
    SIDE_NAMES,
    SIDES,
    STABILITY,
)

Problems = Iterator[str]

_MOVE = ("origin", "destination", "moved", "attack", "defence", "attack_face")


def _used(*kinds: Used) -> set[str]:
    return {field.name for field in FIELDS if field.used in kinds}


_ONLY_FAMILY, _ALWAYS_USED = _used(Used.FAMILY), _used(Used.ALWAYS)
_USED_IN_FAMILY = _used(Used.ALWAYS, Used.IN_GAMES, Used.FAMILY)
"""Names of fields; others stay as they are when a game begins."""


@cache
def _fresh(options: GameOptions) -> np.record:
    """A game that has just begun."""
    states = new_states(1)
    engine.reset(states, np.zeros(1, np.int64), options)
    return states[0]


def _unused_problems(state, used: Container[str], why: str) -> Problems:
    """Yield a problem for each field outside ``used`` whose value differs from that of a new game."""
    fresh = _fresh(GameOptions.of_state(state))
    for name in STATE.names:
        if name not in used and not np.array_equal(state[name], fresh[name]):
            yield f"{name}: {why}"


# --- bids ----------------------------------------------------------------------------------------


def bid_problems(state) -> Problems:
    """Yield what is wrong with a state during the bid."""
    frame = state.frames[0]
    if not state.bid or state.depth != 1 or frame.kind != FrameKind.BID or state.decision == Decision.NONE:
        yield "frames: there is a bid, alone, in games with that option only"
        return
    yield from _unused_problems(state, _ALWAYS_USED | {"offers"}, "the game has not begun while players bid")
    made = SIDES * SIDES if frame.step == TIED else SIDES * frame.side + frame.step
    if ((state.offers.ravel() >= 0) != (np.arange(SIDES * SIDES) < made)).any():
        yield f"offers: {made} numbers, of {SIDES * SIDES}, expected by now"
    elif frame.step == TIED and (state.offers[FIRST] != state.offers[SECOND]).any():
        yield "offers: equal ones expected where dice have decided"
    if (state.offers[:, OFFERED_SIDE] >= SIDES).any():
        yield "offers: of a side that there is not"


def offer_problems(state) -> Problems:
    """Yield what is wrong with the offers and their result, once the game has begun or where there is no bid."""
    if not state.bid:
        if (state.offers >= 0).any() or state.swapped:
            yield "offers: there are none in a game without a bid"
        return
    if (state.offers < 0).any() or (state.offers[:, OFFERED_SIDE] >= SIDES).any():
        yield "offers: a side and points of both players expected"
        return
    given = support_given(state.offers.tolist())
    if state.extra_support.tolist() != given:
        yield f"extra_support: {given} expected after these offers"
    points = state.offers[:, OFFERED_POINTS]
    if bool(state.swapped) not in is_swapped(state.offers, np.flatnonzero(points == points.max())):
        yield "swapped: not what these offers give"


# --- family mode -----------------------------------------------------------------------------------


def no_family_problems(state) -> Problems:
    """Yield fields of family mode that are used in another game."""
    return _unused_problems(state, set(STATE.names) - _ONLY_FAMILY, "has a meaning in family mode only")


def family_table_problems(state) -> Problems:
    """Yield what is wrong with the cards' zones."""
    yield from _unused_problems(state, _USED_IN_FAMILY, "has no meaning in family mode")
    where, owner = state.where[1:], OWNER[1:]
    fits = np.isin(where, (Zone.DRAW_PILE, Zone.DISCARD_PILE, Zone.RESOLVING)) | (where == Zone.HAND + owner)
    for card in np.flatnonzero(np.where(owner == NEUTRAL, where != Zone.REMOVED, ~fits)) + 1:
        yield f"card {card}: cannot lie there in family mode"
    if (state.power_cards.sum(axis=0) != FACE_COUNT).any():
        yield "power_cards: each face has the printed number of copies in all zones together"
    if (state.power_known > state.power_cards[PowerZone.HAND :]).any():
        yield "power_known: only cards in a hand can be known"
    for side, name in enumerate(SIDE_NAMES):
        if (where == Zone.HAND + side).sum() > FAMILY_HAND_SIZE:
            yield f"hand of the {name}: more than {FAMILY_HAND_SIZE} cards"
        if state.power_cards[PowerZone.HAND + side].sum() > FAMILY_POWER_HAND_SIZE:
            yield f"power hand of the {name}: more than {FAMILY_POWER_HAND_SIZE} cards"


def family_course_problems(state) -> Problems:
    """Yield what is wrong with the pending frame; its fields must be within their bounds."""
    frame = state.frames[0]
    if state.depth != 1 or frame.kind != FrameKind.FAMILY:
        yield "frames: that of family mode, and no other, expected"
        return
    if abs(state.vp) >= 20:
        yield f"vp: -19 ... 19 expected while the game goes on, not {state.vp}"
    if state.turn == 0 or (state.action_round > 0) != (frame.step >= FamilyStep.ORIGIN):
        yield f"frame 0: step {frame.step} does not fit round {state.action_round} of turn {state.turn}"
    if frame.side != state.phasing or (state.action_round > 0 and state.phasing != (state.action_round - 1) % 2):
        yield f"phasing: it is not the round of side {state.phasing}"
    if state.decision == Decision.NONE and frame.step not in (FamilyStep.CARD, FamilyStep.ORIGIN):
        yield "decision: none is pending, but neither a placement nor a round is about to begin"
    resolving, placing = cards_in(state, Zone.RESOLVING), frame.step == FamilyStep.PLACE
    if resolving != ([frame.source] if placing else []) or (frame.source > 0) != placing:
        yield f"cards {resolving}: lie as if being played"
    elif placing and OWNER[frame.source] != frame.side:
        yield f"card {frame.source}: is not of the deck of its player"
    if not _move_fits(state, int(frame.side), frame.step):
        yield f"{', '.join(_MOVE)}: no shift or take-over comes to this"


def _move_fits(state, side: int, step: int) -> bool:
    """Return True if a shift or take-over has come as far as the frame says, and the board allows it."""
    origin, space, moved, attack, defence, face = (int(state[name]) for name in _MOVE)
    if (origin >= 0) != (step >= FamilyStep.DESTINATION) or (space >= 0) != (step >= FamilyStep.POINTS):
        return False
    if step in (FamilyStep.DESTINATION, FamilyStep.POINTS) and not may_leave(state, side, origin):
        return False
    if step >= FamilyStep.POINTS and not (space in NEIGHBOURS[PRINTED_MAP, origin] and may_enter(state, side, space)):
        return False
    if step == FamilyStep.POINTS and (moved % MOST_POINTS or moved >= state.support[side, origin]):
        return False
    if step < FamilyStep.DEFENCE and face >= 0:
        return False
    if step < FamilyStep.ATTACK:
        return attack == defence == 0 and (moved == 0 or step >= FamilyStep.POINTS)
    guard = int(state.support[1 - side, space] + STABILITY[space]) if controls(state, 1 - side, space) else 0
    rolled = 1 <= attack - moved <= 6 and 1 <= defence - guard <= 6
    return rolled and moved >= 1 and not controls(state, side, space)
