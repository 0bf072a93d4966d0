"""What operations are worth: support points placed one by one, and support checks."""

from math import isnan

from agents.heuristic.country import gain
from agents.heuristic.sight import AT, check_modifier, in_play, ops_value
from dawn_env.cards.events import REGIONS
from dawn_env.support.compiling import jit
from dawn_env.tables import (
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
    _write_rates(o, p, side, space, points)
    return p.rates[points]


@jit
def _write_rates(o, p, side, space, most):
    """Fill ``p.rates[1 ... most]`` with ``placing_rate`` of so many points."""
    best, cost, known, lead = -99.0, 0, 0, int(p.support[1 - side, space]) - int(p.support[side, space])
    genscher = side == DEMOCRAT and COUNTRY_OF[space] == EAST_GERMANY and in_play(o, 63)
    for count in range(1, STABILITY[space] + 2):
        cost += 2 if lead - count + 1 >= STABILITY[space] and not genscher else 1
        if cost > most:
            break
        p.rates[known + 1 : cost] = best
        best = max(best, gain(p, side, space, count, 0) / cost)
        known = cost - 1
    p.rates[known + 1 : most + 1] = best


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
def _write_placing(o, p, side, least, most, variant):
    """Fill ``p.place[least ... most]``, worth of placing so many points: the best two rates, the best one for two
    points."""
    first, second = p.place, p.second
    first[least : most + 1], second[least : most + 1] = 0, 0
    for space in range(S):
        if o[AT.destroyed + space] or not in_reach(p, side, space, variant):
            continue
        _write_rates(o, p, side, space, most)
        for points in range(least, most + 1):
            rate = p.rates[points]
            if rate > first[points]:
                first[points], second[points] = rate, first[points]
            elif rate > second[points]:
                second[points] = rate
    for points in range(least, most + 1):
        near = min(points, 2)
        first[points] = first[points] * near + second[points] * (points - near)


@jit
def may_check(o, p, side, space):
    """Whether a side may check a space (own bans of the Communist: cards 2, 48, 49)."""
    if o[AT.destroyed + space] or p.support[1 - side, space] == 0:
        return False
    if side == DEMOCRAT:
        return True
    if (space == _GDANSK and in_play(o, 2)) or (space == _LEIPZIG and in_play(o, 48)):
        return False
    return not o[AT.debt_burden + COUNTRY_OF[space]]


@jit
def _write_shifts(p, side, space, most):
    """Fill ``p.shifts[1 ... most]``: what it is worth to move so many points by a check."""
    theirs = int(p.support[1 - side, space])
    for moved in range(1, most + 1):
        gone = min(moved, theirs)
        p.shifts[moved] = gain(p, side, space, moved - gone, -gone)


@jit
def _check_cost(o, side, space):
    """Victory points that a check in a space costs."""
    if side == DEMOCRAT:
        return 0
    helsinki = in_play(o, 26) and (TYPE_OF[space] == STUDENT or TYPE_OF[space] == INTELLECTUAL)
    return int(helsinki) + int(in_play(o, 39) and space == _RUSE)  # Helsinki Final Act, Eco-Glasnost


@jit
def _rolled_gain(o, p, side, space, beyond):
    """Expected gain of a check that moves the die + ``beyond`` points; ``p.shifts`` is filled up to 6 + ``beyond``."""
    worth = 0.0
    for die in range(1, 7):
        if die + beyond > 0:
            worth += p.shifts[die + beyond]
    return worth / 6 - _check_cost(o, side, space)


@jit
def check_gain(o, p, side, space, total):
    """Expected gain of a check with ``total`` = ops value + all modifiers."""
    beyond = total - 2 * STABILITY[space]
    _write_shifts(p, side, space, 6 + beyond)
    return _rolled_gain(o, p, side, space, beyond)


@jit
def _write_checks(o, p, side, least, most, region, variant):
    """Fill ``p.check[least ... most]``, gain of the best check with so many points in a region (bool [S]); 0 when
    none helps."""
    p.check[least : most + 1] = 0
    for space in range(S):
        if not region[space] or not may_check(o, p, side, space):
            continue
        beyond = check_modifier(o, p, side, space, variant) - 2 * STABILITY[space]
        _write_shifts(p, side, space, 6 + most + beyond)
        for points in range(max(least, -5 - beyond), most + 1):
            p.check[points] = max(p.check[points], _rolled_gain(o, p, side, space, points + beyond))


@jit
def best_check(o, p, side, points, region, variant):
    """Gain of the best check with ``points`` in a region (bool [S]); 0 when none helps."""
    _write_checks(o, p, side, points, points, region, variant)
    return p.check[points]


@jit
def checks_gain(best, count):
    """Worth of a series of checks from that of the best one."""
    return best * (1 + _SECOND_CHECK * (count - 1)) if count > 0 else 0.0


@jit
def operation_gain(o, p, side, base, region, variant):
    """Worth of placing anywhere and of two checks in a region, with ``base`` printed points."""
    points = ops_value(o, side, base)
    _write_placing(o, p, side, points, points, variant)
    return p.place[points], checks_gain(best_check(o, p, side, points, region, variant), CHECKS)


@jit
def operation_anywhere(o, p, side, base, variant):
    """``operation_gain`` without a region, remembered in the position."""
    points = ops_value(o, side, base)
    if isnan(p.operations[side, points, 0]):
        remember_operations(o, p, side, points, points, variant)
    return p.operations[side, points, 0], p.operations[side, points, 1]


@jit
def remember_operations(o, p, side, least, most, variant):
    """What ``operation_anywhere`` is going to be asked for, all ops values from ``least`` to ``most`` at once."""
    _write_placing(o, p, side, least, most, variant)
    _write_checks(o, p, side, least, most, ANYWHERE, variant)
    for points in range(least, most + 1):
        p.operations[side, points, 0] = p.place[points]
        p.operations[side, points, 1] = checks_gain(p.check[points], CHECKS)
