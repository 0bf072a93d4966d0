"""Values of operations: support points placed one by one, and support checks."""

from dawn_agents.heuristic_values.board_value import judge_opened, known_gain
from dawn_agents.heuristic_values.position_record import EVEN, SPACES_IN
from dawn_env.rules.board import map_variant
from dawn_env.rules.operations.operations import CHECKS_PER_OPERATION
from dawn_env.rules.operations.placement import cost, within_reach
from dawn_env.rules.operations.support_checks import banned, check_vp, points_moved, space_modifiers
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import COMMUNIST, STABILITY, S

_SECOND_CHECK = 0.85  # worth of the second check of an operation against the first
_WORST = -99.0
_DEAR = 2  # a price from which on it may fall


# --- placing ---------------------------------------------------------------------------------------


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


@spliced
def most_placed(space):
    """Points that one thinks of placing in a space, at most."""
    return STABILITY[space] + 1


@jit
def write_rates(p, side, space, most):
    """Fill ``p.rates`` up to ``most``: best gain per operations point from placing so many in a space; low when none
    can be afforded.

    ``judge_listed`` has been asked about so many points there.
    """
    best, spent, price, known = _WORST, 0, _DEAR, 0
    for count in range(1, most_placed(space) + 1):
        price = _price(p, side, space, count - 1, price)
        spent += price
        if spent > most:
            break
        while known < spent:
            p.rates[known] = best
            known += 1
        best = max(best, known_gain(p, side, space, count, 0) / spent)
    while known <= most:
        p.rates[known] = best
        known += 1


@jit
def _list_reach(p, side, points):
    """List the spaces in which a side may place so many points."""
    count, variant = 0, map_variant(p)
    for space in range(S):
        p.listed[count], p.far[space] = space, points
        count += within_reach(p, side, space, variant)
    p.listed[count] = -1


@jit
def placing_gain(first, second, points):
    """Worth of placing so many points at the best two rates, the best one for two."""
    near = min(points, 2)
    return first * near + second * (points - near)


@jit
def _placing_gain(p, side, points):
    """Worth of placing so many points on the board as it is tried."""
    p.first[points] = p.second[points] = 0
    _list_reach(p, side, points)
    judge_opened(p, side)
    for space in p.listed:
        if space < 0:
            break
        write_rates(p, side, space, points)
        rank_rate(p, points, p.rates[points])
    return placing_gain(p.first[points], p.second[points], points)


@spliced
def rank_rate(best, points, rate):
    """Keep the best two rates of so many points in the fields ``first`` and ``second``."""
    first = best.first[points]
    best.second[points] = max(best.second[points], min(first, rate))
    best.first[points] = max(first, rate)


# --- checks ----------------------------------------------------------------------------------------


@jit
def may_check(p, side, space):
    """Return True if a side may check a space; a destroyed one has no support points."""
    return p.support[1 - side, space] > 0 and not banned(p, side, space)


@jit
def _paid(p, side, space):
    return check_vp(p, side, space) if side == COMMUNIST else 0


@jit
def prepare_check(p, side, space, points):
    """Note in ``p`` what die and points of a check add to, and how many points it may move (``judge_listed``)."""
    p.beyond[space] = points_moved(space_modifiers(p, side, space), space)
    p.far[space] = 6 + points + p.beyond[space]


@jit
def write_shifts(p, side, space):
    """Fill ``p.shifts``: what it is worth to move points by a check that has been prepared."""
    mine, theirs, most = int(p.support[side, space]), int(p.support[1 - side, space]), int(p.far[space])
    last = min(most, max(1, theirs + EVEN - min(mine, EVEN)))  # more points do not matter
    for moved in range(1, last + 1):
        gone = min(moved, theirs)
        p.shifts[moved] = known_gain(p, side, space, moved - gone, -gone)
    for moved in range(last + 1, most + 1):
        p.shifts[moved] = p.shifts[last]


@jit
def check_gain(p, side, space, points):
    """Expected gain of a check with so many points where ``write_shifts`` has been."""
    worth, beyond = 0.0, p.beyond[space] + points
    for die in range(max(1, 1 - beyond), 7):
        worth += p.shifts[die + beyond]
    return worth / 6 - _paid(p, side, space)


@jit
def _list_targets(p, side, region, points):
    """List the spaces of a region that a side may check with so many points."""
    count = 0
    for space in SPACES_IN[region]:
        if space < 0:
            break
        if may_check(p, side, space):
            prepare_check(p, side, space, points)
            p.listed[count] = space
            count += 1
    p.listed[count] = -1


@jit
def series_gain(best, count):
    """Worth of a series of checks from that of the best one."""
    return best * (1 + _SECOND_CHECK * (count - 1)) if count > 0 else 0.0


@jit
def checks_gain(p, side, points, count, region):
    """Worth of up to ``count`` checks with so many points in a region, on the board as it is tried."""
    best = 0.0
    _list_targets(p, side, region, points)
    judge_opened(p, side)
    for space in p.listed:
        if space < 0:
            break
        write_shifts(p, side, space)
        best = max(best, check_gain(p, side, space, points))
    return series_gain(best, count)


# --- operations ------------------------------------------------------------------------------------


@jit
def operation_gain(p, side, points, region):
    """Worth of placing anywhere and of two checks in a region with an ops value, on the board as it is tried."""
    return _placing_gain(p, side, points), checks_gain(p, side, points, CHECKS_PER_OPERATION, region)
