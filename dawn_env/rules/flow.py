"""The loop that drives a game from one real decision to the next."""

import numba

from dawn_env.rules.bid import answer_bid, step_bid
from dawn_env.rules.checks import answer_checks, step_checks
from dawn_env.rules.event import answer_event, step_event
from dawn_env.rules.family.turn import answer_family, step_family
from dawn_env.rules.operations import answer_operation, step_operation
from dawn_env.rules.placement import answer_placement, step_placement
from dawn_env.rules.play import answer_play, step_play
from dawn_env.rules.stack import top
from dawn_env.rules.struggle import answer_struggle, step_struggle
from dawn_env.rules.turn import answer_turn, step_turn
from dawn_env.state import (
    BID_FRAME,
    CHECKS_FRAME,
    EVENT_FRAME,
    FAMILY_FRAME,
    KIND,
    NO_DECISION,
    NO_ERROR,
    OPS_FRAME,
    PLACEMENT_FRAME,
    PLAY_FRAME,
    RUNNING,
    STATE,
    TURN_FRAME,
)
from dawn_env.support.compiling import calling, entry, jit

RUN, POSE = -1, -2  # in place of an action: run on; pose the pending decision again


@jit
def _step(s):
    """Go on with the innermost frame until it asks, pushes, pops or has done its piece."""
    f = top(s)
    kind = f[KIND]
    if kind == TURN_FRAME:
        step_turn(s, f)
    elif kind == PLAY_FRAME:
        step_play(s, f)
    elif kind == OPS_FRAME:
        step_operation(s, f)
    elif kind == PLACEMENT_FRAME:
        step_placement(s, f)
    elif kind == CHECKS_FRAME:
        step_checks(s, f)
    elif kind == EVENT_FRAME:
        step_event(s, f)
    elif kind == FAMILY_FRAME:
        step_family(s, f)
    elif kind == BID_FRAME:
        step_bid(s, f)
    else:
        step_struggle(s, f)


@jit
def _answer(s, action):
    """Give an action to the frame that asked for it."""
    decision = s.decision
    s.decision = NO_DECISION
    f = top(s)
    kind = f[KIND]
    if kind == TURN_FRAME:
        answer_turn(s, f, decision, action)
    elif kind == PLAY_FRAME:
        answer_play(s, f, decision, action)
    elif kind == OPS_FRAME:
        answer_operation(s, f, action)
    elif kind == PLACEMENT_FRAME:
        answer_placement(s, f, action)
    elif kind == CHECKS_FRAME:
        answer_checks(s, f, action)
    elif kind == EVENT_FRAME:
        answer_event(s, f, decision, action)
    elif kind == FAMILY_FRAME:
        answer_family(s, f, decision, action)
    elif kind == BID_FRAME:
        answer_bid(s, f, action)
    else:
        answer_struggle(s, f, decision, action)


@jit
def _run(s):
    """Step until somebody has a real choice or the game is over; a single legal action is taken at once."""
    while s.result == RUNNING and s.error == NO_ERROR and s.stop_at_round < 2:
        _step(s)
        if s.decision != NO_DECISION:
            if s.legal_count > 1:
                return
            _answer(s, s.last_legal)
    s.stop_at_round = 0
    s.decision = NO_DECISION


@entry
def advance(s, action):
    """Take an action in one record and run it to its next real decision or its end."""
    if s.result != RUNNING:
        return
    if action == POSE:
        s.decision = NO_DECISION
        _step(s)
        return
    if not s.scripted:
        s.tape_len[:] = 0
    if action >= 0:
        s.decisions += 1
        _answer(s, action)
    _run(s)


STEP_TYPES = (numba.from_dtype(STATE), numba.int64)
call_step = calling(*STEP_TYPES)
"""``call_step(step, record, action)``: ``advance`` for compiled loops that are given its address ``step``."""


@entry
def advance_rows(step, states, actions):
    """Take an action in every record; ``step`` is the address of ``advance``."""
    for i in range(len(states)):
        call_step(step, states[i], actions[i])
