"""Checks of the bid for sides (rule 13.0), after those of bounds."""

from collections.abc import Container, Iterator
from functools import cache

import numpy as np

from dawn_env import engine
from dawn_env.bids import support_given
from dawn_env.options import GameOptions
from dawn_env.rules.bid import FIRST, OFFERED_POINTS, OFFERED_SIDE, SECOND, TIED, is_swapped
from dawn_env.state import STATE, Decision, FrameKind, new_states
from dawn_env.tables import SIDES

Problems = Iterator[str]

USED = {
    "frames", "decision", "actor", "legal", "legal_count", "last_legal", "decisions", "seed", "generator", "scripted",
    "tape", "tape_len", "tape_at", "stop_at_round",
}  # fmt: skip
"""Fields that change in every kind of game."""


@cache
def _fresh(options: GameOptions) -> np.record:
    """A game that has just begun."""
    states = new_states(1)
    engine.reset(states, np.zeros(1, np.int64), options)
    return states[0]


def unused_problems(state, used: Container[str], why: str) -> Problems:
    """Yield a problem for each field outside ``used`` whose value differs from that of a new game."""
    fresh = _fresh(GameOptions.of_state(state))
    for name in STATE.names:
        if name not in used and not np.array_equal(state[name], fresh[name]):
            yield f"{name}: {why}"


def course_problems(state) -> Problems:
    """Problems of a record while players bid."""
    frame = state.frames[0]
    if not state.bid or state.depth != 1 or frame.kind != FrameKind.BID or state.decision == Decision.NONE:
        yield "frames: there is a bid, alone, in games with that option only"
        return
    yield from unused_problems(state, USED | {"offers"}, "the game has not begun while players bid")
    made = SIDES * SIDES if frame.step == TIED else SIDES * frame.side + frame.step
    if ((state.offers.ravel() >= 0) != (np.arange(SIDES * SIDES) < made)).any():
        yield f"offers: {made} numbers, of {SIDES * SIDES}, expected by now"
    elif frame.step == TIED and (state.offers[FIRST] != state.offers[SECOND]).any():
        yield "offers: equal ones expected where dice have decided"
    if (state.offers[:, OFFERED_SIDE] >= SIDES).any():
        yield "offers: of a side that there is not"


def result_problems(state) -> Problems:
    """Problems of offers and their result, once the game has begun or where there is no bid."""
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
