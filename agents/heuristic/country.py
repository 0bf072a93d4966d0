"""What the countries are worth as they stand, in victory points, Democrat positive.

``p`` is a POSITION record. The worth of a country is kept in it and changes with every point; ``gain`` asks
what a change would be worth, ``put`` makes it.
"""

from math import sqrt

import numpy as np

from dawn_env.rules.board import is_control
from dawn_env.rules.struggle import FIRST_SPACE_CARDS, NEXT_SPACE_CARDS
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    BATTLEGROUND,
    BATTLEGROUNDS,
    COMMUNIST,
    CONTROL,
    COUNTRY_OF,
    DEMOCRAT,
    DOMINATION,
    FACE_COUNT,
    FIRST_SPACE,
    LEADER_TYPE,
    PRESENCE,
    SPACE_TYPES,
    STABILITY,
    TYPE_OF,
    N,
    S,
)

TOPPLE_VALUE = np.array([8.5, 8.5, 7.0, 5.5, 7.0, 5.5])
"""[N] worth of toppling, the Power it saves and final scoring included."""
_STRUGGLE_STAKE = 3.0  # victory points and support points between winning and losing a struggle, halved
_CARD_EDGE = 0.46  # log-odds of a struggle per effective card
_MOST_CUSHION = 2

_LEADERS = np.zeros(len(SPACE_TYPES), np.int64)
for _face in np.flatnonzero(LEADER_TYPE >= 0):
    _LEADERS[LEADER_TYPE[_face]] = FACE_COUNT[_face]
_LEADERS_OF = np.array([sum(int(n) for t, n in enumerate(_LEADERS) if m >> t & 1) for m in range(256)])
"""[256] leader cards of the deck usable with the space types of a bit mask."""


@jit
def soft_sign(x):
    """From -1/2 to 1/2, odd, with the slope of a logistic at 0; cheaper, and never quite certain."""
    return 0.25 * x / sqrt(1 + 0.25 * x * x)


@jit
def effective_cards(spaces, types):
    """Struggle cards for (soft) controlled spaces, counted by how often their leaders can be used."""
    cards = FIRST_SPACE_CARDS * min(1.0, spaces) + NEXT_SPACE_CARDS * max(0.0, spaces - 1.0)
    return cards * (40 + 2 * _LEADERS_OF[types]) / 52


@jit
def _level(country, spaces, grounds, ahead, more_grounds):
    """Expected points of a side: Presence, Domination, Control, battlegrounds. ``ahead``, ``more_grounds``: chances
    that it has more spaces, and more battlegrounds, than the other side."""
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
def struggle_worth(country, spaces_d, spaces_c, types_d, types_c, topple):
    """Expected victory points, losses and toppling of a power struggle."""
    edge = effective_cards(spaces_d, types_d) - effective_cards(spaces_c, types_c)
    wins = 0.5 + soft_sign(_CARD_EDGE * edge)
    return _STRUGGLE_STAKE * (2 * wins - 1) + topple * TOPPLE_VALUE[country] * wins


@jit
def hold(lead, space, progress):
    """How far a lead goes towards control of a space: 1 is control."""
    if is_control(lead, space):
        return 1.0
    return progress * lead / STABILITY[space] if lead > 0 else 0.0


@jit
def cushion(lead, space):
    """Points beyond control, as far as they count."""
    return min(_MOST_CUSHION, lead - STABILITY[space])


@jit
def _extras(p, space, democrat, communist):
    """Footholds, and what guards control against checks."""
    lead = democrat - communist
    small = p.w.foothold * (int(democrat > 0) - int(communist > 0))
    if is_control(lead, space):
        small += p.w.cushion * cushion(lead, space)
    elif is_control(-lead, space):
        small -= p.w.cushion * cushion(-lead, space)
    return small


@jit
def _types_after(p, country, side, space, old, lead):
    """Bit mask of the types a side controls once its lead in a space is ``lead`` instead of ``old``."""
    types, kind = p.types[country, side], TYPE_OF[space]
    held, holds = is_control(old, space), is_control(lead, space)
    if holds and not held:
        return types | (1 << kind)
    if held and not holds and p.of_type[country, side, kind] == 1:
        return types & ~(1 << kind)
    return types


@jit
def value_after(p, space, democrat, communist):
    """Worth of a space's country with these points in the space."""
    country, progress = COUNTRY_OF[space], p.w.progress
    old_d, old_c = int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space])
    lead, old = democrat - communist, old_d - old_c
    more_d = hold(lead, space, progress) - hold(old, space, progress)
    more_c = hold(-lead, space, progress) - hold(-old, space, progress)
    spaces_d, spaces_c = p.spaces[country, DEMOCRAT] + more_d, p.spaces[country, COMMUNIST] + more_c
    grounds_d, grounds_c = p.grounds[country, DEMOCRAT], p.grounds[country, COMMUNIST]
    if BATTLEGROUND[space]:
        grounds_d += more_d
        grounds_c += more_c
    types_d = _types_after(p, country, DEMOCRAT, space, old, lead)
    types_c = _types_after(p, country, COMMUNIST, space, -old, -lead)
    small = p.small[country] + _extras(p, space, democrat, communist) - _extras(p, space, old_d, old_c)
    score = points_ahead(country, spaces_d, spaces_c, grounds_d, grounds_c) + small
    fight = struggle_worth(country, spaces_d, spaces_c, types_d, types_c, p.w.topple)
    return p.outlook[country, 0] * score + p.outlook[country, 1] * fight


@jit
def _count_space(p, space, sign):
    """Enter a space into the sums of its country, or take it out."""
    country, progress = COUNTRY_OF[space], p.w.progress
    democrat, communist = int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space])
    p.small[country] += sign * _extras(p, space, democrat, communist)
    for side in range(2):
        lead = democrat - communist if side == DEMOCRAT else communist - democrat
        held = sign * hold(lead, space, progress)
        p.spaces[country, side] += held
        if BATTLEGROUND[space]:
            p.grounds[country, side] += held
        if is_control(lead, space):
            p.of_type[country, side, TYPE_OF[space]] += sign
            if p.of_type[country, side, TYPE_OF[space]] > 0:
                p.types[country, side] |= 1 << TYPE_OF[space]
            else:
                p.types[country, side] &= ~(1 << TYPE_OF[space])


@jit
def set_up(p):
    """Compute all sums from the support points, the outlook and the weights."""
    p.spaces[:], p.grounds[:], p.small[:], p.types[:], p.of_type[:] = 0, 0, 0, 0, 0
    for space in range(S):
        _count_space(p, space, 1)
    for country in range(N):
        space = FIRST_SPACE[country]
        democrat, communist = int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space])
        p.worth[country] = value_after(p, space, democrat, communist)
    p.operations[:], p.tries = np.nan, 0


@jit
def gain(p, side, space, mine, theirs):
    """What it is worth to a side to add points to a space (below 0: to take away as many as there are)."""
    own, other = int(p.support[side, space]), int(p.support[1 - side, space])
    after_own, after_other = max(0, own + mine), max(0, other + theirs)
    if side == DEMOCRAT:
        return value_after(p, space, after_own, after_other) - p.worth[COUNTRY_OF[space]]
    return p.worth[COUNTRY_OF[space]] - value_after(p, space, after_other, after_own)


@jit
def _set(p, space, democrat, communist):
    _count_space(p, space, -1)
    p.support[DEMOCRAT, space], p.support[COMMUNIST, space] = democrat, communist
    _count_space(p, space, 1)
    p.worth[COUNTRY_OF[space]] = value_after(p, space, democrat, communist)


@jit
def put(p, side, space, mine, theirs):
    """Try the change ``gain`` asks about; ``take_back`` undoes all that was tried."""
    p.tried[p.tries, 0] = space
    p.tried[p.tries, 1], p.tried[p.tries, 2] = p.support[DEMOCRAT, space], p.support[COMMUNIST, space]
    p.tries += 1
    own, other = max(0, int(p.support[side, space]) + mine), max(0, int(p.support[1 - side, space]) + theirs)
    if side == DEMOCRAT:
        _set(p, space, own, other)
    else:
        _set(p, space, other, own)


@jit
def take_back(p):
    """The board as it was before anything was tried."""
    while p.tries > 0:
        p.tries -= 1
        before = p.tried[p.tries]
        _set(p, int(before[0]), int(before[1]), int(before[2]))


@jit
def worth_now(p, country):
    """Worth of scoring a country as it stands, its struggle included."""
    spaces, grounds, types = p.spaces[country], p.grounds[country], p.types[country]
    score = points_ahead(country, spaces[DEMOCRAT], spaces[COMMUNIST], grounds[DEMOCRAT], grounds[COMMUNIST])
    topple = p.w.topple
    return score + struggle_worth(country, spaces[0], spaces[1], types[DEMOCRAT], types[COMMUNIST], topple)


@jit
def board_value(p):
    """Sum over the countries."""
    return p.worth.sum()
