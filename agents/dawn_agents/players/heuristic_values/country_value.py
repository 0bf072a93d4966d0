"""Value of a country by the spaces that both sides hold: points and power struggle, Democrat positive; and its weight:
whether its scoring card can still come, and when."""

from math import sqrt

import numpy as np

from dawn_env.rules.board import is_control
from dawn_env.rules.struggle import FIRST_SPACE_CARDS, NEXT_SPACE_CARDS
from dawn_env.state import Zone
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import (
    BATTLEGROUNDS,
    COMMUNIST,
    CONTROL,
    DEMOCRAT,
    DOMINATION,
    FACE_COUNT,
    FIRST_TURN,
    LAST_TURN,
    LEADER_TYPE,
    PERIOD,
    PRESENCE,
    ROUNDS,
    SCORING_CARD,
    SPACE_TYPES,
    STABILITY,
    N,
)

TOPPLE_VALUE = np.array([8.5, 8.5, 7.0, 5.5, 7.0, 5.5])
"""[N] worth of toppling, the Power it saves and final scoring included."""
_STRUGGLE_STAKE = 3.0  # victory points and support points between winning and losing a struggle, halved
_CARD_EDGE = 0.46  # log-odds of a struggle per effective card
_MOST_CUSHION = 2
_FIRST_TURN = np.array(FIRST_TURN)

_LEADERS = np.zeros(len(SPACE_TYPES), np.int64)
for _face in np.flatnonzero(LEADER_TYPE >= 0):
    _LEADERS[LEADER_TYPE[_face]] = FACE_COUNT[_face]
_WITHOUT_LEADERS, _DECK = 40, 52
USABLE = np.array([_WITHOUT_LEADERS + 2.0 * sum(_LEADERS[t] for t in range(8) if m >> t & 1) for m in range(256)])
"""[256] cards of the deck that can be used with the space types of a bit mask, its leaders twice."""


@jit
def soft_sign(x):
    """Sigmoid from -1/2 to 1/2, odd, with the slope of a logistic at 0; cheaper to compute."""
    return 0.25 * x / sqrt(1 + 0.25 * x * x)


@jit
def effective_cards(spaces, usable):
    """Struggle cards for (soft) controlled spaces, counted by how often they can be used (``USABLE``)."""
    cards = FIRST_SPACE_CARDS * min(1.0, spaces) + NEXT_SPACE_CARDS * max(0.0, spaces - 1.0)
    return cards * usable / _DECK


@jit
def _level(country, spaces, grounds, ahead, more_grounds):
    """Expected points of a side: Presence, Domination, Control, battlegrounds. ``ahead`` and ``more_grounds``:
    probabilities that it has more spaces, and more battlegrounds, than the other side."""
    dominates = ahead * more_grounds
    everything = ahead * max(0.0, grounds - BATTLEGROUNDS[country] + 1)
    points = PRESENCE[country] * min(1.0, spaces) + grounds
    points += (DOMINATION[country] - PRESENCE[country]) * dominates
    return points + (CONTROL[country] - DOMINATION[country]) * everything


@jit
def points_ahead(country, spaces_d, spaces_c, grounds_d, grounds_c):
    """Expected difference when the country is scored."""
    ahead, more = soft_sign(2.0 * (spaces_d - spaces_c)), soft_sign(2.5 * (grounds_d - grounds_c))
    score = _level(country, spaces_d, grounds_d, 0.5 + ahead, 0.5 + more)
    return score - _level(country, spaces_c, grounds_c, 0.5 - ahead, 0.5 - more)


@jit
def struggle_worth(country, spaces_d, spaces_c, usable_d, usable_c, topple):
    """Expected victory points, losses and toppling of a power struggle; ``usable`` as in ``USABLE``."""
    edge = effective_cards(spaces_d, usable_d) - effective_cards(spaces_c, usable_c)
    wins = 0.5 + soft_sign(_CARD_EDGE * edge)
    return _STRUGGLE_STAKE * (2 * wins - 1) + topple * TOPPLE_VALUE[country] * wins


@jit
def control_degree(lead, space, progress):
    """Share of control of a space that a lead gives: 1 is control."""
    if is_control(lead, space):
        return 1.0
    return progress * lead / STABILITY[space] if lead > 0 else 0.0


@jit
def surplus(lead, space):
    """Points beyond control, as far as they count."""
    return min(_MOST_CUSHION, lead - STABILITY[space])


@spliced
def as_far_as_control(lead, space):
    """A lead of either sign, that of control at most."""
    return min(max(lead, -STABILITY[space]), STABILITY[space])


# --- weights of countries ---------------------------------------------------------------------------


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
