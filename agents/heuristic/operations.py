"""What operations are worth: support points placed one by one, and support checks."""

from math import isnan

from agents.heuristic.board import known_gain
from agents.heuristic.leads import judge_listed
from agents.heuristic.regions import EVERYWHERE, nth_space
from dawn_env.rules.board import map_variant
from dawn_env.rules.checks import banned, payment, points_moved, space_modifiers
from dawn_env.rules.operations import CHECKS_PER_OPERATION
from dawn_env.rules.placement import cost, within_reach
from dawn_env.rules.values import card_value
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import COMMUNIST, STABILITY, S

_SECOND_CHECK = 0.85  # worth of the second check of an operation against the first
_WORST = -99.0
_DEAR = 2  # a price from which on it may fall


# --- placing ---------------------------------------------------------------------------------------


@jit
def placing_rate(p, side, space, points):
    """Best gain per operations point from placing 1 to ``points`` in a space; low when it cannot be afforded.

    ``judge_listed`` has been asked about so many points there.
    """
    best, spent, price = _WORST, 0, _DEAR
    for count in range(1, STABILITY[space] + 2):
        price = _price(p, side, space, count - 1, price)
        spent += price
        if spent > points:
            break
        best = max(best, known_gain(p, side, space, count, 0) / spent)
    return best


@spliced
def _price(p, side, space, placed, before):
    """Points for one more support point where ``placed`` have been placed; a price that has fallen stays low."""
    return _cost_after(p, side, space, placed) if before > 1 else before


@jit
def _cost_after(p, side, space, placed):
    """Points for one more support point in a space where ``placed`` have been placed."""
    p.support[side, space] += placed
    points = cost(p, side, space)
    p.support[side, space] -= placed
    return points


@jit
def _write_rates(p, side, space, most):
    """Fill ``p.rates[1 ... most]`` with ``placing_rate`` of so many points."""
    best, spent, price, known = _WORST, 0, _DEAR, 0
    for count in range(1, STABILITY[space] + 2):
        price = _price(p, side, space, count - 1, price)
        spent += price
        if spent > most:
            break
        while known < spent - 1:
            known += 1
            p.rates[known] = best
        best = max(best, known_gain(p, side, space, count, 0) / spent)
    while known < most:
        known += 1
        p.rates[known] = best


@jit
def _list_reach(p, side, points):
    """List the spaces in which a side may place so many points."""
    count, variant = 0, map_variant(p)
    for space in range(S):
        p.listed[count], p.far[space] = space, points
        count += within_reach(p, side, space, variant)
    p.listed[count] = -1


@spliced
def _rank_rate(p, points, rate):
    """Keep the best two rates of so many points."""
    if rate > p.place[points]:
        p.place[points], p.second[points] = rate, p.place[points]
    elif rate > p.second[points]:
        p.second[points] = rate


@jit
def _write_placing(p, side, least, most):
    """Fill ``p.place[least ... most]``, worth of placing so many points: the best two rates, the best one for two
    points."""
    first, second = p.place, p.second
    first[least : most + 1], second[least : most + 1] = 0, 0
    _list_reach(p, side, most)
    judge_listed(p, side)
    for space in p.listed:
        if space < 0:
            break
        if least == most:
            _rank_rate(p, most, placing_rate(p, side, space, most))
            continue
        _write_rates(p, side, space, most)
        for points in range(least, most + 1):
            _rank_rate(p, points, p.rates[points])
    for points in range(least, most + 1):
        near = min(points, 2)
        first[points] = first[points] * near + second[points] * (points - near)


# --- checks ----------------------------------------------------------------------------------------


@jit
def _may_check(p, side, space):
    """Whether a side may check a space; a destroyed one has no support points."""
    return p.support[1 - side, space] > 0 and not banned(p, side, space)


@jit
def _write_shifts(p, side, space, most):
    """Fill ``p.shifts[1 ... most]``: what it is worth to move so many points by a check."""
    theirs = int(p.support[1 - side, space])
    for moved in range(1, most + 1):
        gone = min(moved, theirs)
        p.shifts[moved] = known_gain(p, side, space, moved - gone, -gone)


@spliced
def _rolled_gain(p, beyond, paid):
    """Expected gain of a check that moves the die + ``beyond`` points; ``p.shifts`` is filled up to 6 + ``beyond``."""
    worth = 0.0
    for die in range(1, 7):
        if die + beyond > 0:
            worth += p.shifts[die + beyond]
    return worth / 6 - paid


@jit
def _paid(p, side, space):
    """What a check costs a side in victory points."""
    return payment(p, side, space) if side == COMMUNIST else 0


@jit
def prepare_check(p, side, space, points):
    """Note in ``p`` what the die adds to in a check, and how many points it may move (``judge_listed``)."""
    p.beyond[space] = points_moved(points + space_modifiers(p, side, space), space)
    p.far[space] = 6 + p.beyond[space]


@jit
def check_gain(p, side, space):
    """Expected gain of a check that has been prepared."""
    _write_shifts(p, side, space, p.far[space])
    return _rolled_gain(p, p.beyond[space], _paid(p, side, space))


@jit
def _list_targets(p, side, region, points):
    """List the spaces of a region that a side may check with so many points."""
    count = 0
    for i in range(S):
        space = nth_space(p, region, i)
        if space < 0:
            break
        if _may_check(p, side, space):
            prepare_check(p, side, space, points)
            p.listed[count] = space
            count += 1
    p.listed[count] = -1


@jit
def _write_checks(p, side, least, most, region):
    """Fill ``p.check[least ... most]``, gain of the best check with so many points in a region; 0 when none helps."""
    p.check[least : most + 1] = 0
    _list_targets(p, side, region, most)
    judge_listed(p, side)
    for space in p.listed:
        if space < 0:
            break
        beyond, paid = p.beyond[space] - most, _paid(p, side, space)
        _write_shifts(p, side, space, p.far[space])
        for points in range(max(least, -5 - beyond), most + 1):
            p.check[points] = max(p.check[points], _rolled_gain(p, points + beyond, paid))


@jit
def _series_gain(best, count):
    """Worth of a series of checks from that of the best one."""
    return best * (1 + _SECOND_CHECK * (count - 1)) if count > 0 else 0.0


@jit
def checks_gain(p, side, points, count, region):
    """Worth of up to ``count`` checks with so many points in a region."""
    _write_checks(p, side, points, points, region)
    return _series_gain(p.check[points], count)


# --- operations ------------------------------------------------------------------------------------


@jit
def operation_gain(p, side, points, region):
    """Worth of placing anywhere and of two checks in a region, with an ops value."""
    _write_placing(p, side, points, points)
    return p.place[points], checks_gain(p, side, points, CHECKS_PER_OPERATION, region)


@jit
def card_operation_gain(p, side, card):
    """Worth of placing and of two checks with a card, anywhere; remembered in the position by ops value."""
    points = card_value(p, side, card)
    if isnan(p.operations[side, points, 0]):
        remember_operations(p, side, points, points)
    return p.operations[side, points, 0], p.operations[side, points, 1]


@jit
def remember_operations(p, side, least, most):
    """What ``card_operation_gain`` is going to be asked for, all ops values from ``least`` to ``most`` at once."""
    _write_placing(p, side, least, most)
    _write_checks(p, side, least, most, EVERYWHERE)
    for points in range(least, most + 1):
        p.operations[side, points, 0] = p.place[points]
        p.operations[side, points, 1] = _series_gain(p.check[points], CHECKS_PER_OPERATION)
