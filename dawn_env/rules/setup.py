"""The set-up of the standard game (rule 3.0): the first deal and the extra placement."""

import numpy as np

from dawn_env.actions import SPACE0
from dawn_env.rules.cards import add_deck, deal
from dawn_env.rules.frames import TurnStep, ask, count_allowed, push
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, EARLY, HAND_SIZE, SETUP_BATCHES, S

BATCHES = len(SETUP_BATCHES) + 2  # after the extra placement the option of rule 13.0: Democrat, Communist
BATCH_SIDE = np.array([side for side, _ in SETUP_BATCHES] + [DEMOCRAT, COMMUNIST])
"""[BATCHES] side that places each batch."""
_BATCH_POINTS = np.array([points for _, points in SETUP_BATCHES])


@jit
def batch_points(s, batch):
    """Support points of a batch."""
    if batch >= len(SETUP_BATCHES):
        return int(s.extra_support[BATCH_SIDE[batch]])
    return _BATCH_POINTS[batch]


@jit
def ask_setup(s, side):
    """Any space without opposing support points (rule 3.4, ruling extra-support-like-set-up)."""
    ask(s, Decision.SETUP, side)
    theirs = s.support[1 - side]
    for space in range(S):
        s.legal[SPACE0 + space] = theirs[space] == 0
    count_allowed(s, SPACE0, SPACE0 + S)


@jit
def start_standard(s):
    """The first deal, then the extra placement."""
    add_deck(s, EARLY)
    deal(s, COMMUNIST, HAND_SIZE, HAND_SIZE)
    f = push(s, FrameKind.TURN, COMMUNIST, 0)
    f.step, f.side, f.batch, f.left = TurnStep.SET_UP, COMMUNIST, 1, batch_points(s, 0)
    ask_setup(s, COMMUNIST)
