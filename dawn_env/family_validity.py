"""What ``validity`` asks of a record of family mode once its numbers are within bounds."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from dawn_env import engine
from dawn_env.actions import MOST_POINTS
from dawn_env.calendar import FAMILY_HAND_SIZE, FAMILY_POWER_HAND_SIZE
from dawn_env.rules.board import controls
from dawn_env.rules.family.board import PRINTED_MAP, may_enter, may_leave
from dawn_env.rules.family.frame import (
    ATTACK,
    ATTACK_STEP,
    CARD,
    CARD_STEP,
    DEFENCE,
    DEFENCE_STEP,
    DESTINATION_STEP,
    FACE,
    FROM,
    INTO,
    MOVED,
    PLACE_STEP,
    POINTS_STEP,
    ROUND_STEP,
)
from dawn_env.state import (
    DISCARD_PILE,
    DRAW_PILE,
    FAMILY,
    FAMILY_FRAME,
    HAND,
    KIND,
    MODES,
    NO_DECISION,
    POWER_HAND,
    REMOVED,
    RESOLVING,
    SIDE,
    STATE,
    STEP,
    new_states,
)
from dawn_env.tables import FACE_COUNT, NEIGHBOURS, NEUTRAL, OWNER, SIDE_NAMES, SPACES, STABILITY

Problems = Iterator[str]

_USED = {
    "turn", "action_round", "phasing", "vp", "result", "reason", "support", "where", "epoch", "since", "drawn_at",
    "power_cards", "power_known", "mode", "depth", "frames", "decision", "actor", "legal", "legal_count", "last_legal",
    "stop_at_round", "decisions", "seed", "generator", "scripted", "tape", "tape_len", "tape_at", "error",
}  # fmt: skip
"""Fields of ``STATE`` that change in family mode; the others stay as they are when a game begins."""


@cache
def _fresh() -> np.record:
    """A game that has just begun."""
    states = new_states(1)
    engine.reset(states, np.zeros(1, np.int64), {"mode": MODES[FAMILY]})
    return states[0]


def table_problems(state) -> Problems:
    """What lies where."""
    for name in STATE.names:
        if name not in _USED and not np.array_equal(state[name], _fresh()[name]):
            yield f"{name}: has no meaning in family mode"
    where, owner = state.where[1:], OWNER[1:]
    fits = np.isin(where, (DRAW_PILE, DISCARD_PILE, RESOLVING)) | (where == HAND + owner)
    for card in np.flatnonzero(np.where(owner == NEUTRAL, where != REMOVED, ~fits)) + 1:
        yield f"card {card}: cannot lie there in family mode"
    if (state.power_cards.sum(axis=0) != FACE_COUNT).any():
        yield "power_cards: each face has the printed number of copies in all zones together"
    if (state.power_known > state.power_cards[POWER_HAND:]).any():
        yield "power_known: only cards in a hand can be known"
    for side, name in enumerate(SIDE_NAMES):
        if (where == HAND + side).sum() > FAMILY_HAND_SIZE:
            yield f"hand of the {name}: more than {FAMILY_HAND_SIZE} cards"
        if state.power_cards[POWER_HAND + side].sum() > FAMILY_POWER_HAND_SIZE:
            yield f"power hand of the {name}: more than {FAMILY_POWER_HAND_SIZE} cards"


def course_problems(state) -> Problems:
    """What is going on; the bounds of the frame hold."""
    frame = state.frames[0]
    step = frame[STEP]
    if state.depth != 1 or frame[KIND] != FAMILY_FRAME:
        yield "frames: that of family mode, and no other, expected"
        return
    if abs(state.vp) >= 20:
        yield f"vp: -19 ... 19 expected while the game goes on, not {state.vp}"
    if state.turn == 0 or (state.action_round > 0) != (step >= ROUND_STEP):
        yield f"frame 0: step {step} does not fit round {state.action_round} of turn {state.turn}"
    if frame[SIDE] != state.phasing or (state.action_round > 0 and state.phasing != (state.action_round - 1) % 2):
        yield f"phasing: it is not the round of side {state.phasing}"
    if state.decision == NO_DECISION and step not in (CARD_STEP, ROUND_STEP):
        yield "decision: none is pending, but neither a placement nor a round is about to begin"
    resolving = np.flatnonzero(state.where == RESOLVING).tolist()
    if resolving != ([frame[CARD]] if step == PLACE_STEP else []) or (frame[CARD] > 0) != (step == PLACE_STEP):
        yield f"cards {resolving}: lie as if being played"
    elif step == PLACE_STEP and OWNER[frame[CARD]] != frame[SIDE]:
        yield f"card {frame[CARD]}: is not of the deck of its player"
    yield from _move_problems(state, frame)


def _move_problems(state, frame) -> Problems:
    """A shift or take-over in progress."""
    side, step, moved = int(frame[SIDE]), frame[STEP], int(frame[MOVED])
    origin, space = int(frame[FROM]), int(frame[INTO])
    if step < DESTINATION_STEP and any(frame[column] for column in (FROM, INTO, MOVED, ATTACK, DEFENCE, FACE)):
        yield "frame 0: something of a take-over is left"
    if step in (DESTINATION_STEP, POINTS_STEP) and not may_leave(state, side, origin):
        yield f"frame 0: no points can leave {SPACES[origin]}"
    if step == DESTINATION_STEP and (space or moved):
        yield "frame 0: points move, but no destination is named"
    if step >= POINTS_STEP and not (space in NEIGHBOURS[PRINTED_MAP, origin] and may_enter(state, side, space)):
        yield f"frame 0: no points can go to {SPACES[space]} from {SPACES[origin]}"
    if step == POINTS_STEP and (moved % MOST_POINTS or moved >= state.support[side, origin]):
        yield f"frame 0: {moved} points cannot have been named so far"
    if step < ATTACK_STEP and step >= DESTINATION_STEP and (frame[ATTACK] or frame[DEFENCE] or frame[FACE]):
        yield "frame 0: sums of a take-over before it is fought"
    if step >= ATTACK_STEP:
        yield from _fight_problems(state, frame)


def _fight_problems(state, frame) -> Problems:
    side, space = int(frame[SIDE]), int(frame[INTO])
    guard = int(state.support[1 - side, space] + STABILITY[space]) if controls(state, 1 - side, space) else 0
    dice = frame[ATTACK] - frame[MOVED], frame[DEFENCE] - guard
    if controls(state, side, space) or frame[MOVED] < 1 or not all(1 <= die <= 6 for die in dice):
        yield f"frame 0: sums {frame[ATTACK]} and {frame[DEFENCE]} of a take-over do not fit the board"
    if frame[STEP] < DEFENCE_STEP and frame[FACE]:
        yield "frame 0: the attacker's card is there before it is asked for"
