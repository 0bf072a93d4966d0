"""Starting a game (rule 3.0)."""

import numpy as np

from dawn_env.actions import SPACE0
from dawn_env.calendar import HAND_SIZE
from dawn_env.rules.cards import add_deck, deal
from dawn_env.rules.chance import seed_generator
from dawn_env.rules.stack import allow, ask, clear, push
from dawn_env.rules.steps import TurnStep
from dawn_env.state import MAX_FRAMES, Decision, FrameKind, PowerZone, Zone
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, EARLY, FACE_COUNT, SETUP_BATCHES, C, N, P, S
from dawn_env.tables import SETUP as FIXED_SUPPORT

BATCHES = len(SETUP_BATCHES) + 2  # after the extra placement the option of rule 13.0: Democrat, Communist
_BATCH_SIDE = np.array([side for side, _ in SETUP_BATCHES] + [DEMOCRAT, COMMUNIST])
_BATCH_POINTS = np.array([points for _, points in SETUP_BATCHES])


@jit
def batch_side(batch):
    """Who places a batch."""
    return _BATCH_SIDE[batch]


@jit
def batch_points(s, batch):
    """Support points of a batch."""
    if batch >= len(SETUP_BATCHES):
        return int(s.extra_support[_BATCH_SIDE[batch]])
    return _BATCH_POINTS[batch]


@jit
def ask_setup(s, side):
    """Any space without opposing support points (rule 3.4, ruling extra-support-like-set-up)."""
    ask(s, Decision.SETUP, side)
    for space in range(S):
        if s.support[1 - side, space] == 0:
            allow(s, SPACE0 + space)


@jit
def _clear(s):
    """Blank every field that does not start at a value of its own and is no option of the game."""
    s.turn, s.action_round, s.phasing, s.vp, s.victory_waits, s.result, s.reason = 0, 0, COMMUNIST, 0, 0, 0, 0
    s.ussr, s.award7_used, s.award8_used, s.crowd_done, s.tyrant_done, s.ceausescu_due = 0, 0, 0, 0, 0, 0
    s.stand_fast, s.debt_burden, s.destroyed, s.hideout, s.stasi_card = -1, -1, -1, -1, 0
    s.track[:], s.tried_box[:], s.tried_turn[:], s.prudence[:], s.known[:] = 0, 0, 0, 0, 0
    s.epoch, s.since[:], s.drawn_at[:], s.aside_at, s.aside_unsure = 0, 0, -1, -1, 0
    clear_struggle(s)
    s.depth, s.picked[:], s.reach[:] = 0, 0, 0
    for depth in range(MAX_FRAMES):
        clear(s.frames[depth])
    s.stop_at_round, s.decisions, s.scripted, s.error = 0, 0, 0, 0
    s.tape[:], s.tape_len[:], s.tape_at[:] = 0, 0, 0


@jit
def clear_struggle(s):
    """No struggle is fought: all 52 cards in their deck."""
    s.struggle, s.starter, s.attacker, s.raised[:], s.staked = -1, -1, -1, 0, 0
    s.blocked, s.led_suit, s.led_rank, s.winner, s.winning_suit = -1, -1, 0, -1, -1
    s.power_cards[:] = 0
    for face in range(P):
        s.power_cards[PowerZone.DECK, face] = FACE_COUNT[face]


@jit
def _reset(s, seed):
    _clear(s)
    s.seed = seed
    seed_generator(s, seed)
    for country in range(N):
        s.power[country], s.times_scored[country] = COMMUNIST, 0
    s.support[:] = FIXED_SUPPORT
    s.where[0] = Zone.NOWHERE
    for card in range(1, C):
        s.where[card] = Zone.FUTURE
    add_deck(s, EARLY)
    deal(s, HAND_SIZE, HAND_SIZE)
    f = push(s, FrameKind.TURN, COMMUNIST, 0)
    f.step, f.side, f.batch, f.left = TurnStep.SET_UP, COMMUNIST, 1, batch_points(s, 0)
    ask_setup(s, COMMUNIST)


@entry
def reset_rows(states, seeds):
    """Start a game in every record, with the options that it holds."""
    for i in range(len(states)):
        _reset(states[i], seeds[i])
