"""A static evaluation of a position, in victory points from the Democrat's point of view.

It adds up what is on the table and what it may still bring: the VP marker; for every country the points and
the power struggle of its next scoring, weighted by the chance that it comes, and its share of the final
scoring; the Tiananmen Square track; the cards in both hands. It reads the whole record, hidden cards too:
call it on positions that were dealt anew.
"""

import numpy as np

from dawn_agents.players.heuristic_values.country_value import (
    USABLE,
    control_degree,
    points_ahead,
    struggle_worth,
    surplus,
)
from dawn_agents.players.heuristic_values.position_record import STYLES
from dawn_env.rules.board import is_control
from dawn_env.rules.cards import in_hand, is_scoring
from dawn_env.rules.operations.ops_values import holds_award, ops_change
from dawn_env.rules.scoring import FINAL_POWER_VP
from dawn_env.state import Decision, Result, Zone
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import (
    BATTLEGROUND,
    COMMUNIST,
    DEMOCRAT,
    FIRST_SPACE,
    LAST_TURN,
    NEUTRAL,
    OWNER,
    PERIOD,
    POWER_VALUE,
    PRINTED_OPS,
    ROUNDS,
    SCORING_CARD,
    TIANANMEN_BOXES,
    TYPE_OF,
    C,
    N,
)

WON = 60.0
"""Value of a won game; that of a game that runs stays well below."""

_HELD_TOO_LONG = 25.0  # a scoring card that its holder has no action round left for

# Weights in common with the rule-based player.
_STYLE = STYLES["balanced"]
_PROGRESS, _CUSHION, _SCORING = _STYLE.progress, _STYLE.cushion, _STYLE.scoring
_STRUGGLE, TOPPLE = _STYLE.struggle, _STYLE.topple
_KEPT = 0.5  # how often the Communist keeps Power

_TURNS = np.arange(LAST_TURN + 1)
_DRAWN = 0.95 * (1 - np.exp(-0.6 * (LAST_TURN - _TURNS)))  # chance that a card of the draw pile is still dealt
_DRAWN_AGAIN = 0.7 * (1 - np.exp(-0.35 * (LAST_TURN - _TURNS)))  # the same, of the discard pile
_FINAL = 0.1 + 0.0085 * _TURNS**2  # weight of the final scoring
_NOT_YET = np.array([0.0, 0.8, 0.6])  # a scoring card whose deck comes later, by period

_BOX = np.array([0.0, 0.3, 0.6, 0.0, 0.0, 0.5, 1.2, 1.2, 1.5])
"""[9] worth of holding the lasting award of a box at the start of the game."""


@jit
def chance_scored(s, country):
    """Probability of the next scoring of a country, from where its card lies."""
    card = SCORING_CARD[country]
    zone = s.where[card]
    if zone == Zone.REMOVED:
        return 0.0
    if zone == Zone.DRAW_PILE:
        return _DRAWN[s.turn]
    if zone == Zone.DISCARD_PILE:
        return _DRAWN_AGAIN[s.turn]
    if zone == Zone.FUTURE:
        return _NOT_YET[PERIOD[card]]
    return 1.0


@jit
def survey(s, country, side):
    """A side's spaces and battlegrounds, near control counted in part, the struggle cards it can use (``USABLE``), its
    cushion."""
    spaces, grounds, types, guard = 0.0, 0.0, 0, 0.0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        lead = s.support[side, space] - s.support[1 - side, space]
        share = control_degree(lead, space, _PROGRESS)
        spaces += share
        grounds += share if BATTLEGROUND[space] else 0.0
        if is_control(lead, space):
            types |= 1 << TYPE_OF[space]
            guard += _CUSHION * surplus(lead, space)
    return spaces, grounds, USABLE[types], guard


@jit
def _country_value(s, country):
    """Expected future value of a country."""
    spaces_d, grounds_d, usable_d, cushion_d = survey(s, country, DEMOCRAT)
    spaces_c, grounds_c, usable_c, cushion_c = survey(s, country, COMMUNIST)
    points = points_ahead(country, spaces_d, spaces_c, grounds_d, grounds_c) + cushion_d - cushion_c
    final = _FINAL[s.turn]
    if s.power[country] == DEMOCRAT:
        return _SCORING * final * points
    scored = chance_scored(s, country)
    struggle = _STRUGGLE * struggle_worth(country, spaces_d, spaces_c, usable_d, usable_c, TOPPLE)
    power = _KEPT * POWER_VALUE[country] * (s.times_scored[country] + 1)
    lost = FINAL_POWER_VP * final * (1 - (1 - _KEPT) * scored)
    return _SCORING * (scored + final) * points + scored * (struggle - power) - lost


@jit
def _track_value(s, side):
    """A side's position on the Tiananmen Square track."""
    value = 0.5 * s.track[side] + 0.15 * s.tried_box[side]
    for box in range(1, TIANANMEN_BOXES + 1):
        if holds_award(s, side, box):
            value += _BOX[box]
    return value * (LAST_TURN + 1 - s.turn) / LAST_TURN


@jit
def rounds_left(s, side):
    """Cards a side may still play this turn, the one being played not counted."""
    left = max(0, ROUNDS - s.action_round)
    if s.phasing == side:
        return left + (1 if s.decision == Decision.CARD else 0)
    return left + (1 if side == DEMOCRAT else 0)


@jit
def _hand_value(s, side, rounds):
    """A side's hand: own events are worth having, the opponent's are a burden, scoring cards must be played."""
    value, scoring = 0.0, 0
    for card in range(1, C):
        if not in_hand(s, side, card):
            continue
        scoring += is_scoring(card)
        if OWNER[card] == side:
            value += 0.15 * PRINTED_OPS[card]
        elif OWNER[card] != NEUTRAL:
            value -= 0.15 * PRINTED_OPS[card]
    return value - _HELD_TOO_LONG * max(0, scoring - rounds)


@jit
def _side_value(s, side):
    """Values of a side outside countries."""
    rounds = rounds_left(s, side)
    return _track_value(s, side) + _hand_value(s, side, rounds) + 0.3 * rounds * ops_change(s, side)


@jit
def evaluate(s):
    """Value of a record in victory points, Democrat positive; +-``WON`` and 0 when the game is over."""
    if s.result != Result.RUNNING:
        return WON * ((1 if s.result == Result.DEMOCRAT else 0) - (1 if s.result == Result.COMMUNIST else 0))
    value = s.vp + _side_value(s, DEMOCRAT) - _side_value(s, COMMUNIST)
    for country in range(N):
        value += _country_value(s, country)
    return value


@entry
def evaluate_rows(states, values):
    """Fill ``values`` float64 [B] with the evaluations of ``states`` [B]."""
    for row in range(len(states)):
        values[row] = evaluate(states[row])
