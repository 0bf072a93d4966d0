"""Advice of the rules of thumb as numbers of one byte, for networks: on actions, and on countries."""

from dawn_agents.heuristic.play_levels import best_legal
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST

OPINION_UNITS = 16
"""Numbers of advice on actions for a victory point below the best."""
_ILLEGAL = -128
_COUNTRY_UNITS = 8


@jit
def write_opinions(mask, scores, advice):
    """Write for each action how far its score is below the best one: sixteenths of a victory point, -127 at least, -128
    when it is not legal."""
    best = scores[best_legal(mask, scores)]
    for action in range(len(mask)):
        below = max(-127.0, OPINION_UNITS * (scores[action] - best)) if mask[action] else _ILLEGAL
        advice[action] = int(below)


@jit
def country_advice(viewer, worth):
    """Value of a country for the viewer, in eighths of a victory point, clipped to -127 ... 127.

    ``worth``: victory points, positive for the Democrat.
    """
    sign = -_COUNTRY_UNITS if viewer == COMMUNIST else _COUNTRY_UNITS
    return int(min(127.0, max(-127.0, sign * worth)))
