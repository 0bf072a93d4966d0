"""A static evaluation of a position, in victory points from the Democrat's point of view.

It adds up what is on the table and what it may still bring: the VP marker; for every country the points and
the power struggle of its next scoring, weighted by the chance that it comes, and its share of the final
scoring; the Tiananmen Square track; the cards in both hands. It reads the whole record, hidden cards too:
call it on positions that were dealt anew.
"""

import math

import numpy as np

from dawn_env.compiling import entry, jit
from dawn_env.rules.scoring import country_score
from dawn_env.rules.values import holds_award, ops_change
from dawn_env.state import (
    CARD,
    COMMUNIST_WINS,
    DEMOCRAT_WINS,
    DISCARD_PILE,
    DRAW_PILE,
    FUTURE,
    HAND,
    REMOVED,
    RUNNING,
)
from dawn_env.tables import (
    BATTLEGROUND,
    BATTLEGROUNDS,
    CHURCH,
    COMMUNIST,
    CONTROL,
    DEMOCRAT,
    ELITE,
    FIRST_SPACE,
    INTELLECTUAL,
    NEUTRAL,
    OWNER,
    PERIOD,
    POWER_VALUE,
    PRESENCE,
    PRINTED_OPS,
    SCORES,
    SCORING_CARD,
    SPACE_TYPES,
    STABILITY,
    STUDENT,
    TIANANMEN_BOXES,
    TYPE_OF,
    WORKER,
    C,
    N,
)

WON = 60.0
"""Value of a won game; that of a game that runs stays well below."""

LAST_TURN, LAST_ROUND = 10, 7
_HELD_TOO_LONG = 25.0  # a scoring card that its holder has no action round left for
_EXACT = 0.6  # share of the points as they would be scored now; the rest is progress towards control

_SPACE_POINTS = np.where(BATTLEGROUND, 1.0, 0.3)
for _country in range(N):
    _inside = slice(FIRST_SPACE[_country], FIRST_SPACE[_country + 1])
    _level = 0.7 * (CONTROL[_country] - PRESENCE[_country]) / BATTLEGROUNDS[_country]
    _SPACE_POINTS[_inside] += np.where(BATTLEGROUND[_inside], _level, 0.1 * _level)
_SPREAD = np.where(BATTLEGROUND, 0.25, 0.15)  # of a point beyond control, as a share of the stability, up to one

_LEADERS = np.zeros(len(SPACE_TYPES))
_LEADERS[[INTELLECTUAL, ELITE, WORKER, STUDENT, CHURCH]] = 4, 4, 2, 1, 1  # leaders of a type among 52 cards

_TURNS = np.arange(LAST_TURN + 1)
_DRAWN = 0.95 * (1 - np.exp(-0.6 * (LAST_TURN - _TURNS)))  # chance that a card of the draw pile is still dealt
_DRAWN_AGAIN = 0.7 * (1 - np.exp(-0.35 * (LAST_TURN - _TURNS)))  # the same, of the discard pile
_FINAL = 0.1 + 0.0085 * _TURNS**2  # weight of the final scoring
_NOT_YET = np.array([0.0, 0.8, 0.6])  # a scoring card whose deck comes later, by period

_BOX = np.array([0.0, 0.3, 0.6, 0.0, 0.0, 0.5, 1.2, 1.2, 1.5])
"""[9] worth of holding the lasting award of a box at the start of the game."""


@jit
def _chance_scored(s, country):
    """How likely the next scoring of a country is, from where its card lies."""
    card = SCORING_CARD[country]
    zone = s.where[card]
    if zone == REMOVED:
        return 0.0
    if zone == DRAW_PILE:
        return _DRAWN[s.turn]
    if zone == DISCARD_PILE:
        return _DRAWN_AGAIN[s.turn]
    if zone == FUTURE:
        return _NOT_YET[PERIOD[card]]
    return 1.0


@jit
def _leaders(types):
    """Leaders a side may play, from the set of the types it controls."""
    count = 0.0
    for kind in range(len(_LEADERS)):
        if types >> kind & 1:
            count += _LEADERS[kind]
    return count


@jit
def _struggle_strength(spaces, types):
    """Effective cards of a side: those dealt, and how many of them it can use."""
    return 0.0 if spaces == 0 else (4 + 2 * spaces) * (40 + 2 * _leaders(types)) / 52


@jit
def _survey(s, country):
    """Progress towards control in points, and both sides' strength in a struggle."""
    progress, spaces_d, spaces_c, types_d, types_c = 0.0, 0, 0, 0, 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        lead = (s.support[DEMOCRAT, space] - s.support[COMMUNIST, space]) / STABILITY[space]
        share = max(-1.0, min(1.0, lead))
        cushion = max(-1.0, min(1.0, lead - share))
        progress += _SPACE_POINTS[space] * (share + _SPREAD[space] * cushion)
        if lead >= 1:
            spaces_d, types_d = spaces_d + 1, types_d | 1 << TYPE_OF[space]
        elif lead <= -1:
            spaces_c, types_c = spaces_c + 1, types_c | 1 << TYPE_OF[space]
    return progress, _struggle_strength(spaces_d, types_d), _struggle_strength(spaces_c, types_c)


@jit
def _struggle_value(s, country, strength_d, strength_c, final):
    """Victory points that a power struggle in a country brings: aftermath, and Power kept or lost."""
    wins = 1 / (1 + math.exp(0.46 * (strength_c - strength_d)))
    topples = 0.55 * wins
    kept = POWER_VALUE[country] * (s.times_scored[country] + 1) + 4 * final
    return 2.5 * (2 * wins - 1) - (1 - topples) * kept + topples * 0.5 * POWER_VALUE[country]


@jit
def _country_value(s, country):
    """All that a country may still bring."""
    progress, strength_d, strength_c = _survey(s, country)
    points = _EXACT * country_score(s, country) + (1 - _EXACT) * progress
    final = _FINAL[s.turn]
    if s.power[country] == DEMOCRAT:
        return final * points
    scored = _chance_scored(s, country)
    struggle = _struggle_value(s, country, strength_d, strength_c, final)
    return (scored + final) * points + scored * struggle - (1 - scored) * 4 * final


@jit
def _track_value(s, side):
    """A side's position on the Tiananmen Square track."""
    value = 0.5 * s.track[side] + 0.15 * s.tried_box[side]
    for box in range(1, TIANANMEN_BOXES + 1):
        if holds_award(s, side, box):
            value += _BOX[box]
    return value * (LAST_TURN + 1 - s.turn) / LAST_TURN


@jit
def _rounds_left(s, side):
    """Cards a side may still play this turn, the one being played not counted."""
    left = max(0, LAST_ROUND - s.action_round)
    if s.phasing == side:
        return left + (1 if s.decision == CARD else 0)
    return left + (1 if side == DEMOCRAT else 0)


@jit
def _hand_value(s, side, rounds):
    """A side's hand: own events are worth having, the opponent's are a burden, scoring cards must be played."""
    value, scoring = 0.0, 0
    for card in range(1, C):
        if s.where[card] != HAND + side:
            continue
        scoring += SCORES[card] >= 0
        if OWNER[card] == side:
            value += 0.15 * PRINTED_OPS[card]
        elif OWNER[card] != NEUTRAL:
            value -= 0.15 * PRINTED_OPS[card]
    return value - _HELD_TOO_LONG * max(0, scoring - rounds)


@jit
def _side_value(s, side):
    """What belongs to a side and not to a country."""
    rounds = _rounds_left(s, side)
    return _track_value(s, side) + _hand_value(s, side, rounds) + 0.3 * rounds * ops_change(s, side)


@jit
def evaluate(s):
    """Value of a record in victory points, Democrat positive; +-``WON`` and 0 when the game is over."""
    if s.result != RUNNING:
        return WON * ((1 if s.result == DEMOCRAT_WINS else 0) - (1 if s.result == COMMUNIST_WINS else 0))
    value = s.vp + _side_value(s, DEMOCRAT) - _side_value(s, COMMUNIST)
    for country in range(N):
        value += _country_value(s, country)
    return value


@entry
def evaluate_rows(states, values):
    """Fill ``values`` float64 [B] with the evaluations of ``states`` [B]."""
    for row in range(len(states)):
        values[row] = evaluate(states[row])
