"""The loop that drives a game from one real decision to the next."""

from dawn_env.rules.bid import answer_bid, start_bid, step_bid
from dawn_env.rules.card_play import answer_play, step_play
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.events.event_interpreter import answer_event, step_event
from dawn_env.rules.family import answer_family, start_family, step_family
from dawn_env.rules.frames import fail, top
from dawn_env.rules.knowledge import count_anew
from dawn_env.rules.operations.operations import answer_operation, step_operation
from dawn_env.rules.operations.placement import answer_placement, step_placement
from dawn_env.rules.operations.support_checks import answer_checks, step_checks
from dawn_env.rules.resets import OF_THE_GAME, reset
from dawn_env.rules.setup import start_standard
from dawn_env.rules.struggle import answer_struggle, step_struggle
from dawn_env.rules.turn import answer_turn, step_turn
from dawn_env.state import STATE, Decision, Error, FrameKind, Mode, Result
from dawn_env.support.compiling import INT64, call_pointer, entry, jit

RUN, POSE, PIECE = -1, -2, -3
"""In place of an action: run on; pose the pending decision again; run on by one piece."""


@jit
def _step(s):
    """Go on with the innermost frame until it asks, pushes, pops or has done its piece."""
    f = top(s)
    kind = f.kind
    if kind == FrameKind.TURN:
        step_turn(s, f)
    elif kind == FrameKind.PLAY:
        step_play(s, f)
    elif kind == FrameKind.OPERATIONS:
        step_operation(s, f)
    elif kind == FrameKind.PLACEMENT:
        step_placement(s, f)
    elif kind == FrameKind.CHECKS:
        step_checks(s, f)
    elif kind == FrameKind.EVENT:
        step_event(s, f)
    elif kind == FrameKind.FAMILY:
        step_family(s, f)
    elif kind == FrameKind.BID:
        step_bid(s, f)
    elif kind == FrameKind.STRUGGLE:
        step_struggle(s, f)
    else:
        fail(s)


@jit
def _answer(s, action):
    """Give an action to the frame that asked for it."""
    decision = s.decision
    s.decision = Decision.NONE
    f = top(s)
    kind = f.kind
    if kind == FrameKind.TURN:
        answer_turn(s, f, decision, action)
    elif kind == FrameKind.PLAY:
        answer_play(s, f, decision, action)
    elif kind == FrameKind.OPERATIONS:
        answer_operation(s, f, action)
    elif kind == FrameKind.PLACEMENT:
        answer_placement(s, f, action)
    elif kind == FrameKind.CHECKS:
        answer_checks(s, f, action)
    elif kind == FrameKind.EVENT:
        answer_event(s, f, decision, action)
    elif kind == FrameKind.FAMILY:
        answer_family(s, f, decision, action)
    elif kind == FrameKind.BID:
        answer_bid(s, f, action)
    elif kind == FrameKind.STRUGGLE:
        answer_struggle(s, f, decision, action)
    else:
        fail(s)


@jit
def _run(s):
    """Step until a side has more than one legal action or the game is over; a single legal action is taken at once."""
    while s.result == Result.RUNNING and s.error == Error.NONE and s.stop_at_round < 2:
        _step(s)
        if s.decision != Decision.NONE:
            if s.legal_count > 1:
                return
            _answer(s, int(s.last_legal))
    s.stop_at_round = 0
    s.decision = Decision.NONE


@jit
def _micro_step(s, action):
    """Apply the given or forced action, or else one step of the innermost frame."""
    if action >= 0:
        _answer(s, action)
    elif s.decision != Decision.NONE:
        _answer(s, int(s.last_legal))
    else:
        _step(s)


@entry
def advance(s, action):
    """Take an action in one record and run it to its next real decision or its end.

    From ``PIECE`` down only one piece of that is done: ``PIECE`` goes on, ``PIECE - 1 - action`` takes an action.
    """
    if s.result != Result.RUNNING:
        return
    if action == POSE:
        s.decision = Decision.NONE
        _step(s)
    elif action <= PIECE:
        _micro_step(s, PIECE - 1 - action)
        if s.result == Result.RUNNING and (s.decision == Decision.NONE or s.legal_count < 2):
            return  # hands are counted when a step ends
    else:
        if not s.scripted:
            s.tape_len[:] = 0
        if action >= 0:
            s.decisions += 1
            _answer(s, action)
        _run(s)
    count_anew(s)


STEP_TYPES = STATE, INT64
call_step = call_pointer(*STEP_TYPES)
"""``call_step(step, record, action)``: ``advance`` for compiled loops that are given its address ``step``."""


@entry
def advance_rows(step, states, actions):
    """Take an action in every record; ``step`` is the address of ``advance``."""
    for i in range(len(states)):
        call_step(step, states[i], actions[i])


@entry
def begin(s, seed):
    """Start a game in one record, with the options that it holds."""
    reset(s, OF_THE_GAME)
    s.seed = seed
    seed_generator(s, seed)
    if s.mode == Mode.FAMILY:
        start_family(s)
    elif s.bid:
        start_bid(s)
    else:
        start_standard(s)
    count_anew(s)


BEGIN_TYPES = STATE, INT64
call_begin = call_pointer(*BEGIN_TYPES)
"""``call_begin(begin, record, seed)``: ``begin`` for compiled loops that are given its address."""


@entry
def begin_rows(begin, states, seeds):
    """Start a game in every record; ``begin`` is an address."""
    for i in range(len(states)):
        call_begin(begin, states[i], seeds[i])
