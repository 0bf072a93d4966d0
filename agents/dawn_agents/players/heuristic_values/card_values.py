"""Cards of the hand: what each is worth now, and its uses."""

import numpy as np

from dawn_agents.players.held_cards import scoring_cards
from dawn_agents.players.heuristic_values.board_value import worth_now
from dawn_agents.players.heuristic_values.country_value import rounds_left
from dawn_agents.players.heuristic_values.event_values import event_gain
from dawn_agents.players.heuristic_values.memoized_operations import card_operation_gain
from dawn_env.rules.cards import is_scoring, opponents_event, playable
from dawn_env.rules.operations.operations import can_attempt, least_roll
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, OWNER, POWER_VALUE, SCORES

_BOX = np.array([0, 0.8, 0.9, 1.3, 1.6, 1.0, 1.6, 1.8, 1.8])
"""[9] worth of being first in each box of the Tiananmen Square track."""
_SECOND_THERE = 0.35  # worth of a box in which the opponent has been
_NOT_YET = 0.25  # a failed attempt helps the next
_WORST = -99.0
FORCED = 1000.0  # a scoring card that cannot wait any longer


@jit
def chance_to_roll(least):
    """Chance that a die shows ``least`` or more."""
    return min(1.0, max(0.0, (7 - least) / 6))


@jit
def track_gain(p, side, card):
    """Worth of an attempt on the Tiananmen Square track with a card; low when none is allowed."""
    if not can_attempt(p, side):
        return _WORST
    box = p.track[side] + 1
    worth = _BOX[box] if p.track[1 - side] < box else _SECOND_THERE * _BOX[box]
    chance = chance_to_roll(least_roll(p, side, card))
    return p.w.track * (chance * worth + (1 - chance) * _NOT_YET)


@jit
def scoring_gain(p, side, country):
    """Worth of scoring a country now, its struggle included."""
    worth = worth_now(p, country)
    worth -= 0.5 * POWER_VALUE[country] * (p.times_scored[country] + 1)  # Power is kept about every other time
    return worth if side == DEMOCRAT else -worth


@jit
def event_cost(p, card):
    """Cost for the viewer of the opponent's event on a card; 0 when it is not theirs or cannot occur."""
    if not opponents_event(p, p.viewer, card):
        return 0.0
    return p.w.fear * max(0.0, event_gain(p, 1 - p.viewer, card))


@jit
def own_event(p, card):
    """Value for the viewer of their own or a neutral event; low when it is the opponent's or cannot occur."""
    if OWNER[card] == 1 - p.viewer or not playable(p, p.viewer, card):
        return _WORST
    return p.w.event * event_gain(p, p.viewer, card)


@jit
def hand_card_gain(p, card):
    """Worth of the best use of a card of the hand now; of a scoring card, rather than later this turn."""
    if is_scoring(card):
        held, left = scoring_cards(p, p.viewer), rounds_left(p)
        worth = scoring_gain(p, p.viewer, SCORES[card])
        return FORCED + worth if held >= left else worth - p.w.patience * (left - held)
    place, check = card_operation_gain(p, p.viewer, card)
    best = max(place, check) - event_cost(p, card)
    best = max(best, own_event(p, card))
    return max(best, track_gain(p, p.viewer, card))
