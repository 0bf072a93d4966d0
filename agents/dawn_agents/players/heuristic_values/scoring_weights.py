"""Weights of the countries: whether their scoring card can still come, and when."""

import numpy as np

from dawn_env.state import Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, FIRST_TURN, LAST_TURN, PERIOD, ROUNDS, SCORING_CARD, N

_FIRST_TURN = np.array(FIRST_TURN)


@jit
def chance_scored(p, card):
    """Weight of the next play of a scoring card, from where the card is."""
    zone, turn = p.where[card], int(p.turn)
    if zone >= Zone.HAND or zone == Zone.RESOLVING:
        return 1.2
    if zone == Zone.REMOVED:
        return 0.0
    if zone == Zone.FUTURE:
        return max(0.3, 0.7 - 0.08 * (_FIRST_TURN[PERIOD[card]] - turn))
    if zone == Zone.DISCARD_PILE:
        return 0.5 if turn < LAST_TURN - 1 else 0.1
    return 1.0


@jit
def write_scoring_weights(p):
    """Fill ``weights`` of a POSITION: weight of each country's points, and of its power struggle."""
    final = 0.05 + 0.045 * p.turn  # every country is scored once more at the end
    for country in range(N):
        chance = chance_scored(p, SCORING_CARD[country]) if p.power[country] == COMMUNIST else 0.0
        p.weights[country, 0] = p.w.scoring * (chance + final)
        p.weights[country, 1] = p.w.struggle * chance


@jit
def rounds_left(p):
    """Action rounds the viewer still has this turn, the one in progress included."""
    if p.action_round > ROUNDS:
        return 1
    left = ROUNDS + 1 - int(p.action_round)
    return left if p.phasing == p.viewer or p.viewer == DEMOCRAT else left - 1
