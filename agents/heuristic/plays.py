"""Cards of the hand: what each is worth now, and its uses."""

import numpy as np

from agents.heuristic.country import worth_now
from agents.heuristic.events import event_gain
from agents.heuristic.operations import operation_anywhere
from agents.heuristic.sight import (
    AT,
    countries_held,
    in_play,
    is_removed,
    may_attempt,
    of_side,
    rounds_left,
    track_chance,
)
from agents.heuristic.style import EVENT_WEIGHT, FEAR, PATIENCE, TRACK
from dawn_env.cards.declarations import EVENTS
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, OWNER, POWER_VALUE, PRINTED_OPS, SCORES, C, N

_BOX = np.array([0, 0.8, 0.9, 1.3, 1.6, 1.0, 1.6, 1.8, 1.8])
"""[9] worth of being first in each box of the Tiananmen Square track."""
_SECOND_THERE = 0.35  # worth of a box in which the opponent has been
_NOT_YET = 0.25  # a failed attempt helps the next
OPTIONS = 3
PLACING, CHECKING, ATTEMPT = range(OPTIONS)
_PREREQUISITE = np.array([EVENTS[n].when.card if n in EVENTS and EVENTS[n].when.once else 0 for n in range(C)])
MUST = 1000.0  # a scoring card that cannot wait any longer


@jit
def is_playable(o, side, card):
    """Whether an event can occur with a side as its executor, as far as the viewer can tell."""
    if _PREREQUISITE[card] != 0 and card != 97 and not in_play(o, _PREREQUISITE[card]):
        return False
    if card == 14:
        return not in_play(o, 84)
    if card == 15:
        return not (in_play(o, 83) or is_removed(o, 83))
    if card == 21:
        return False
    if card == 67:
        return of_side(o, AT.track, side) > of_side(o, AT.track, 1 - side)
    if card == 89 or card == 106:
        return countries_held(o, DEMOCRAT) >= (2 if card == 89 else 1)
    if card == 96:
        return of_side(o, AT.track, COMMUNIST) >= 7
    if card == 97:
        return in_play(o, 54) or o[AT.crowd_done] != 0
    if card == 110:
        return o[AT.ussr] < 4
    return True


@jit
def track_gain(o, p, side, source):
    """Worth of an attempt on the Tiananmen Square track with a card; low when none is allowed."""
    if not may_attempt(o, side):
        return -99.0
    box = of_side(o, AT.track, side) + 1
    worth = _BOX[box] if of_side(o, AT.track, 1 - side) < box else _SECOND_THERE * _BOX[box]
    chance = track_chance(o, side, source)
    return p.w[TRACK] * (chance * worth + (1 - chance) * _NOT_YET)


@jit
def scoring_gain(p, side, country, times):
    """Worth of scoring a country now, its struggle included."""
    worth = worth_now(p, country)
    worth -= 0.5 * POWER_VALUE[country] * (times + 1)  # the Communist keeps Power about every other time
    return worth if side == DEMOCRAT else -worth


@jit
def scoring_cards(o):
    """Scoring cards in the viewer's hand."""
    count = 0
    for country in range(N):
        for card in range(1, C):
            count += SCORES[card] == country and o[AT.my_hand + card - 1] != 0
    return count


@jit
def opponents_event(o, p, card, variant):
    """What the opponent's event on a card costs the viewer; 0 when it is not his or cannot occur."""
    other = 1 - o[AT.side]
    if OWNER[card] != other or not is_playable(o, other, card):
        return 0.0
    return p.w[FEAR] * max(0.0, event_gain(o, p, other, card, variant))


@jit
def own_event(o, p, card, variant):
    """What the viewer's or a neutral event is worth to him; low when it is not his or cannot occur."""
    own = o[AT.side]
    if OWNER[card] == 1 - own or not is_playable(o, own, card):
        return -99.0
    return p.w[EVENT_WEIGHT] * event_gain(o, p, own, card, variant)


@jit
def card_gain(o, p, card, variant):
    """Worth of the best use of a card that does not score."""
    own = o[AT.side]
    place, check = operation_anywhere(o, p, own, PRINTED_OPS[card], variant)
    best = max(place, check) - opponents_event(o, p, card, variant)
    best = max(best, own_event(o, p, card, variant))
    return max(best, track_gain(o, p, own, card))


@jit
def scoring_card_gain(o, p, card):
    """Worth of playing a scoring card now rather than later this turn."""
    held, left = scoring_cards(o), rounds_left(o)
    if held >= left:
        return MUST + scoring_gain(p, o[AT.side], SCORES[card], o[AT.times_scored + SCORES[card]])
    worth = scoring_gain(p, o[AT.side], SCORES[card], o[AT.times_scored + SCORES[card]])
    return worth - p.w[PATIENCE] * (left - held)


@jit
def hand_card_gain(o, p, card, variant):
    """Worth of playing a card of the hand now."""
    if SCORES[card] >= 0:
        return scoring_card_gain(o, p, card)
    return card_gain(o, p, card, variant)
