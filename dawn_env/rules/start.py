"""Starting a game: a blank record, then the set-up of its kind of game."""

import numba

from dawn_env.rules.bid import start_bid
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.family.turn import clear_move, start_family
from dawn_env.rules.setup import clear_struggle, start_standard
from dawn_env.rules.stack import clear
from dawn_env.state import MAX_FRAMES, STATE, Mode, Zone
from dawn_env.support.compiling import calling, entry, jit
from dawn_env.tables import COMMUNIST, SETUP, SIDES, C, N, S


@jit
def _clear(s):
    """Blank every field that does not start at a value of its own and is no option of the game."""
    s.turn, s.action_round, s.phasing, s.vp, s.victory_waits, s.result, s.reason = 0, 0, COMMUNIST, 0, 0, 0, 0
    s.ussr, s.award7_used, s.award8_used, s.crowd_done, s.tyrant_done, s.ceausescu_due = 0, 0, 0, 0, 0, 0
    s.stand_fast, s.debt_burden, s.destroyed, s.hideout, s.stasi_card = -1, -1, -1, -1, 0
    s.track[:], s.tried_box[:], s.tried_turn[:], s.prudence[:], s.known[:] = 0, 0, 0, 0, 0
    s.epoch, s.since[:], s.drawn_at[:], s.aside_at, s.aside_unsure = 0, 0, -1, -1, 0
    clear_struggle(s)
    clear_move(s)
    s.power_known[:], s.offers[:], s.swapped = 0, -1, 0
    s.depth, s.picked[:], s.reach[:] = 0, 0, 0
    for depth in range(MAX_FRAMES):
        clear(s.frames[depth])
    s.stop_at_round, s.decisions, s.scripted, s.error = 0, 0, 0, 0
    s.tape[:], s.tape_len[:], s.tape_at[:] = 0, 0, 0


@entry
def begin(s, seed):
    """Start a game in one record, with the options that it holds."""
    _clear(s)
    s.seed = seed
    seed_generator(s, seed)
    for country in range(N):
        s.power[country], s.times_scored[country] = COMMUNIST, 0
    for side in range(SIDES):
        for space in range(S):
            s.support[side, space] = SETUP[side, space]
    s.where[0] = Zone.NOWHERE
    for card in range(1, C):
        s.where[card] = Zone.FUTURE
    if s.mode == Mode.FAMILY:
        start_family(s)
    elif s.bid:
        start_bid(s)
    else:
        start_standard(s)


BEGIN_TYPES = (numba.from_dtype(STATE), numba.int64)
call_begin = calling(*BEGIN_TYPES)
"""``call_begin(begin, record, seed)``: ``begin`` for compiled loops that are given its address."""


@entry
def begin_rows(begin, states, seeds):
    """Start a game in every record; ``begin`` is an address."""
    for i in range(len(states)):
        call_begin(begin, states[i], seeds[i])
