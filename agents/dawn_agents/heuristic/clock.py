"""Remaining part of the turn."""

from dawn_env.calendar import ROUNDS
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT


@jit
def rounds_left(p):
    """Action rounds the viewer still has this turn, the one in progress included."""
    if p.action_round > ROUNDS:
        return 1
    left = ROUNDS + 1 - int(p.action_round)
    return left if p.phasing == p.viewer or p.viewer == DEMOCRAT else left - 1
