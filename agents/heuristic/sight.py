"""What the rule-based player reads off an observation: named places, support points, ops values.

``o`` is an observation, int8 [F]; ``p`` a POSITION record; ``side`` is always the side whose point of view is
asked for, while ``own`` is the viewer, who sees "my" and "their".
"""

from collections import namedtuple

from dawn_env.observe import SLICES
from dawn_env.rules.turn import ROUNDS
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    BULGARIA,
    COMMUNIST,
    COUNTRY_OF,
    DEMOCRAT,
    EAST_GERMANY,
    FIRST_ROMANIAN,
    MAX_NEIGHBOURS,
    NEIGHBOURS,
    OWNER,
    PRINTED_OPS,
    ROMANIA,
    ROMANIAN_SPACES,
    STABILITY,
    STUDENT,
    TIANANMEN_NEED,
    TYPE_OF,
    N,
    S,
)

AT = namedtuple("Offsets", SLICES)(*(place.start for place in SLICES.values()))
"""Offset of each part of the observation."""


@jit
def first_marked(o, at, size):
    """Index marked in a one-hot part, -1 when there is none."""
    for i in range(size):
        if o[at + i]:
            return i
    return -1


@jit
def of_side(o, at, side):
    """Entry of a part that holds mine and theirs."""
    return int(o[at if side == o[AT.side] else at + 1])


@jit
def in_play(o, card):
    """Whether a lasting event is in effect."""
    return o[AT.in_play + card - 1] != 0


@jit
def is_removed(o, card):
    """Whether a card has left the game."""
    return o[AT.removed + card - 1] != 0


@jit
def holds_power(o, side, country):
    """Whether a side holds Power in a country."""
    return o[AT.power + country] == (1 if side == o[AT.side] else -1)


@jit
def countries_held(o, side):
    """Countries in which a side holds Power."""
    count = 0
    for country in range(N):
        count += holds_power(o, side, country)
    return count


@jit
def read_support(o, p):
    """Fill the support points of a POSITION."""
    own = o[AT.side]
    for i in range(S):
        p.support[own, i] = o[AT.my_support + i]
        p.support[1 - own, i] = o[AT.their_support + i]


@jit
def map_variant(o):
    """Row of NEIGHBOURS in force."""
    for i in range(ROMANIAN_SPACES):
        if o[AT.destroyed + FIRST_ROMANIAN + i]:
            return i + 1
    return 0


@jit
def holds_award(o, side, box):
    """Whether a side holds the lasting award of a box of the Tiananmen Square track."""
    return of_side(o, AT.track, side) >= box > of_side(o, AT.track, 1 - side)


@jit
def ops_value(o, side, base):
    """Value of ``base`` printed points for a side."""
    value = base + of_side(o, AT.prudence, side)
    if in_play(o, 25 if side == COMMUNIST else 50):
        value += 1
    if base == 1 and holds_award(o, side, 2):
        value += 1
    return max(1, value)


@jit
def track_chance(o, side, source):
    """Chance that an attempt on the track succeeds with a card."""
    box = of_side(o, AT.track, side) + 1
    total = ops_value(o, side, PRINTED_OPS[source]) + of_side(o, AT.tried_box, side)
    total += int(OWNER[source] == side) if source < len(OWNER) else 0
    total += int(side == COMMUNIST and in_play(o, 53)) + int(holds_award(o, side, 1))
    return min(1.0, max(0.0, (7 - TIANANMEN_NEED[side, box] + total) / 6))


@jit
def may_attempt(o, side):
    """Whether a side may still attempt the track this turn."""
    return of_side(o, AT.track, side) < 8 and not of_side(o, AT.tried_turn, side)


@jit
def controls(p, side, space):
    """Whether a side controls a space."""
    return p.support[side, space] - p.support[1 - side, space] >= STABILITY[space]


@jit
def check_modifier(o, p, side, space, variant):
    """All that is added to die and ops value of a support check, but for the bonus of an event."""
    modifier, country, around = 0, COUNTRY_OF[space], NEIGHBOURS[variant, space]
    wall = side == COMMUNIST and country == EAST_GERMANY and in_play(o, 9)
    for i in range(MAX_NEIGHBOURS):
        if around[i] < 0:
            break
        modifier += controls(p, side, around[i])
        if not wall:
            modifier -= controls(p, 1 - side, around[i])
    if side == COMMUNIST:
        modifier += int(TYPE_OF[space] == STUDENT and in_play(o, 30))
    else:
        modifier -= int(country == EAST_GERMANY and in_play(o, 59))
        modifier += int(country != ROMANIA and country != BULGARIA and in_play(o, 74))
        modifier -= int(country == ROMANIA and in_play(o, 101))
    shielded = o[AT.stand_fast] == (-1 if side == o[AT.side] else 1)
    return modifier - int(shielded and controls(p, 1 - side, space))


@jit
def rounds_left(o):
    """Action rounds the viewer still has this turn, the one in progress included."""
    left = ROUNDS + 1 - int(o[AT.round])
    if o[AT.round] > ROUNDS:
        return 1
    return left if o[AT.phasing] or o[AT.side] == DEMOCRAT else left - 1
