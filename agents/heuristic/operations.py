"""What operations are worth: support points placed one by one, and support checks."""

from math import isnan

from agents.heuristic.country import gain
from agents.heuristic.position import MAX_POINTS
from agents.heuristic.sight import AT, check_modifier, ops_value
from dawn_env.compiling import jit
from dawn_env.events import REGIONS
from dawn_env.tables import (
    COMMUNIST,
    COUNTRY_OF,
    DEMOCRAT,
    EAST_GERMANY,
    INTELLECTUAL,
    MAX_NEIGHBOURS,
    NEIGHBOURS,
    SPACE_ID,
    STABILITY,
    STUDENT,
    TYPE_OF,
    S,
)

_RUSE, _GDANSK, _LEIPZIG = SPACE_ID["Ruse"], SPACE_ID["Gdansk"], SPACE_ID["Leipzig"]
_SECOND_CHECK = 0.85  # worth of the second check of an operation against the first
CHECKS = 2
ANYWHERE = REGIONS[0]


@jit
def placing_rate(o, p, side, space, points):
    """Best gain per operations point from placing 1 to ``points`` in a space; low when it cannot be afforded."""
    best, cost, lead = -99.0, 0, int(p.support[1 - side, space]) - int(p.support[side, space])
    genscher = side == DEMOCRAT and COUNTRY_OF[space] == EAST_GERMANY and o[AT.in_play + 62] != 0
    for count in range(1, min(points, STABILITY[space] + 1) + 1):
        cost += 2 if lead - count + 1 >= STABILITY[space] and not genscher else 1
        if cost > points:
            break
        best = max(best, gain(p, side, space, count, 0) / cost)
    return best


@jit
def in_reach(p, side, space, variant):
    """Whether a side has support in a space or next to it."""
    if p.support[side, space] > 0:
        return True
    around = NEIGHBOURS[variant, space]
    for i in range(MAX_NEIGHBOURS):
        if around[i] < 0:
            break
        if p.support[side, around[i]] > 0:
            return True
    return False


@jit
def placing_gain(o, p, side, points, variant):
    """Worth of placing ``points``: the best rates, each used for a few points."""
    first, second = 0.0, 0.0
    for space in range(S):
        if o[AT.destroyed + space] or not in_reach(p, side, space, variant):
            continue
        rate = placing_rate(o, p, side, space, points)
        if rate > first:
            first, second = rate, first
        elif rate > second:
            second = rate
    near = min(points, 2)
    return first * near + second * (points - near)


@jit
def may_check(o, p, side, space):
    """Whether a side may check a space (own bans of the Communist: cards 2, 48, 49)."""
    if o[AT.destroyed + space] or p.support[1 - side, space] == 0:
        return False
    if side == DEMOCRAT:
        return True
    if (space == _GDANSK and o[AT.in_play + 1]) or (space == _LEIPZIG and o[AT.in_play + 47]):
        return False
    return not o[AT.debt_burden + COUNTRY_OF[space]]


@jit
def check_gain(o, p, side, space, total):
    """Expected gain of a check with ``total`` = ops value + all modifiers."""
    worth = 0.0
    theirs = int(p.support[1 - side, space])
    for die in range(1, 7):
        moved = die + total - 2 * STABILITY[space]
        if moved > 0:
            gone = min(moved, theirs)
            worth += gain(p, side, space, moved - gone, -gone)
    worth /= 6
    if side == COMMUNIST and o[AT.in_play + 25] and (TYPE_OF[space] == STUDENT or TYPE_OF[space] == INTELLECTUAL):
        worth -= 1  # Helsinki Final Act (26)
    if side == COMMUNIST and o[AT.in_play + 38] and space == _RUSE:
        worth -= 1  # Eco-Glasnost (39)
    return worth


@jit
def best_check(o, p, side, points, region, variant):
    """Gain of the best check with ``points`` in a region (bool [S]); 0 when none helps."""
    best = 0.0
    for space in range(S):
        if not region[space] or not may_check(o, p, side, space):
            continue
        total = points + check_modifier(o, p, side, space, variant)
        if total + 6 > 2 * STABILITY[space]:
            best = max(best, check_gain(o, p, side, space, total))
    return best


@jit
def checks_gain(best, count):
    """Worth of a series of checks from that of the best one."""
    return best * (1 + _SECOND_CHECK * (count - 1)) if count > 0 else 0.0


@jit
def operation_gain(o, p, side, base, region, variant):
    """Worth of placing anywhere and of two checks in a region, with ``base`` printed points."""
    points = ops_value(o, side, base)
    place = placing_gain(o, p, side, points, variant)
    return place, checks_gain(best_check(o, p, side, points, region, variant), CHECKS)


@jit
def operation_anywhere(o, p, side, base, variant):
    """``operation_gain`` without a region, remembered in the position."""
    known = p.operations[side, min(MAX_POINTS - 1, ops_value(o, side, base))]
    if isnan(known[0]):
        known[0], known[1] = operation_gain(o, p, side, base, ANYWHERE, variant)
    return known[0], known[1]
