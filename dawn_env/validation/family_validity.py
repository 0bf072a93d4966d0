"""Checks of a record of family mode, after those of bounds."""

import numpy as np

from dawn_env.actions import MOST_POINTS
from dawn_env.rules.board import controls
from dawn_env.rules.family import PRINTED_MAP, may_enter, may_leave
from dawn_env.rules.frames import FamilyStep
from dawn_env.state import Decision, FrameKind, PowerZone, Zone, cards_in
from dawn_env.tables import (
    FACE_COUNT,
    FAMILY_HAND_SIZE,
    FAMILY_POWER_HAND_SIZE,
    NEIGHBOURS,
    NEUTRAL,
    OWNER,
    SIDE_NAMES,
    SPACES,
    STABILITY,
)
from dawn_env.validation.bid_validity import USED, Problems, unused_problems

_USED = USED | {
    "turn", "action_round", "phasing", "vp", "result", "reason", "support", "where", "epoch", "since", "drawn_at",
    "counted", "recount", "power_cards", "power_known", "origin", "destination", "moved", "attack", "defence",
    "attack_face", "mode", "depth", "error",
}  # fmt: skip
"""Fields of ``STATE`` that change in family mode; the others stay as they are when a game begins."""


def no_problems(state) -> Problems:
    """Problems of the fields of family mode in another game."""
    if state.power_known.any():
        yield "power_known: has a meaning in family mode only"
    if (state.origin, state.destination, state.attack_face) != (-1, -1, -1) or any(_numbers(state)):
        yield "origin, destination, moved, attack, defence, attack_face: have a meaning in family mode only"


def _numbers(state) -> tuple[int, int, int]:
    return int(state.moved), int(state.attack), int(state.defence)


def table_problems(state) -> Problems:
    """Problems of the cards' zones."""
    yield from unused_problems(state, _USED, "has no meaning in family mode")
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


def course_problems(state) -> Problems:
    """Problems of the pending frame, after the checks of bounds."""
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
    yield from _move_problems(state, int(frame.side), frame.step)


def _move_problems(state, side: int, step: int) -> Problems:
    """A shift or take-over in progress."""
    origin, space, (moved, attack, defence) = int(state.origin), int(state.destination), _numbers(state)
    if (origin >= 0) != (step >= FamilyStep.DESTINATION) or (space >= 0) != (step >= FamilyStep.POINTS):
        yield f"origin, destination: {origin} and {space} do not fit step {step}"
        return
    if step < FamilyStep.POINTS and moved:
        yield "moved: points move, but no destination is named"
    if step in (FamilyStep.DESTINATION, FamilyStep.POINTS) and not may_leave(state, side, origin):
        yield f"origin: no points can leave {SPACES[origin]}"
    if step >= FamilyStep.POINTS and not (space in NEIGHBOURS[PRINTED_MAP, origin] and may_enter(state, side, space)):
        yield f"destination: no points can go to {SPACES[space]} from {SPACES[origin]}"
    if step == FamilyStep.POINTS and (moved % MOST_POINTS or moved >= state.support[side, origin]):
        yield f"moved: {moved} points cannot have been named so far"
    if step < FamilyStep.ATTACK and (attack or defence):
        yield "attack, defence: sums of a take-over before it is fought"
    if step < FamilyStep.DEFENCE and state.attack_face >= 0:
        yield "attack_face: the attacker's card is there before it is asked for"
    if step >= FamilyStep.ATTACK:
        yield from _fight_problems(state, side, space)


def _fight_problems(state, side: int, space: int) -> Problems:
    guard = int(state.support[1 - side, space] + STABILITY[space]) if controls(state, 1 - side, space) else 0
    moved, attack, defence = _numbers(state)
    if controls(state, side, space) or moved < 1 or not 1 <= attack - moved <= 6 or not 1 <= defence - guard <= 6:
        yield f"attack, defence: sums {attack} and {defence} of a take-over do not fit the board"
