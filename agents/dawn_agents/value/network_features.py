"""Network input of a position: numbers, and facts of which four hold.

They are read off the whole record, hidden cards too: use them on positions that were dealt anew.
"""

from typing import NamedTuple

import numpy as np

from dawn_agents.value import win_probability_regression
from dawn_agents.value.win_probability_regression import log_odds
from dawn_env.rules.card_play import PlayPart
from dawn_env.rules.cards import in_hand
from dawn_env.rules.frames import PlayStep
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, LAST_TURN, SIDES, STABILITY, C, S

_OF_FRAME = ("points or picks left", "base of the ops value", "decisions that wait")
_FRAME = win_probability_regression.NUMBERS
_LEADS = _FRAME + len(_OF_FRAME)
_HANDS = _LEADS + S
_ODDS = _HANDS + C
D = _ODDS + 1
"""Numbers of a position: those of the regression, of what is being resolved, a lead for every space in parts of what
control takes, a hand for every card (1: the Democrat's, -1: the Communist's), and the log odds of the regression."""

_ASKED, _KINDS, _PARTS = len(Decision), len(FrameKind), len(PlayPart)
_OF_PLAY = len(PlayStep) * _PARTS
_FRAMES = SIDES * _ASKED
_PLAYS = _FRAMES + SIDES * _KINDS
_NO_PLAY = _PLAYS + SIDES * _OF_PLAY
_TURNS = _NO_PLAY + 1
FACTS = _TURNS + LAST_TURN + 1
"""Facts there are: what is asked of whom, what is being resolved for whom, how far a card play is, the turn."""
HELD = 4
"""Facts that hold in a position, one of each kind."""


class FeatureBuffers(NamedTuple):
    """Work space: what is read off a record."""

    regression: win_probability_regression.RegressionBuffers
    numbers: np.ndarray  # float32 [D]
    facts: np.ndarray  # int16 [HELD]


def new_work() -> FeatureBuffers:
    """Work space, for one thread."""
    return FeatureBuffers(win_probability_regression.new_work(), np.zeros(D, np.float32), np.zeros(HELD, np.int16))


@jit
def _write_board(s, numbers):
    for space in range(S):
        lead = np.float32(s.support[DEMOCRAT, space]) - np.float32(s.support[COMMUNIST, space])
        numbers[_LEADS + space] = min(max(lead / STABILITY[space], -1), 1)
    for card in range(C):
        numbers[_HANDS + card] = in_hand(s, DEMOCRAT, card) - in_hand(s, COMMUNIST, card)


@jit
def _write_resolved(s, numbers, facts):
    """Facts about the frame being resolved and the pending decision."""
    top = s.frames[s.depth - 1]
    sign = 1 if top.side == DEMOCRAT else -1
    numbers[_FRAME], numbers[_FRAME + 1], numbers[_FRAME + 2] = sign * top.left, sign * top.value, s.depth
    facts[0] = max(0, s.actor) * _ASKED + s.decision
    facts[1] = _FRAMES + max(0, top.side) * _KINDS + top.kind
    facts[2] = _NO_PLAY
    for depth in range(s.depth):
        frame = s.frames[depth]
        if frame.kind == FrameKind.PLAY:
            facts[2] = _PLAYS + max(0, frame.side) * _OF_PLAY + frame.step * _PARTS + frame.second
    facts[3] = _TURNS + s.turn


@jit
def write_inputs(s, tables, work):
    """Fill ``work`` for a game that runs; ``tables``: of the regression."""
    odds = log_odds(s, tables, work.regression)
    for i in range(win_probability_regression.NUMBERS):
        work.numbers[i] = work.regression.numbers[i]
    _write_board(s, work.numbers)
    _write_resolved(s, work.numbers, work.facts)
    work.numbers[_ODDS] = odds
    return odds
